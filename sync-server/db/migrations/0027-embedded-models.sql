-- The models that an embed code serves beside its dashboard or chart: those that somebody who may embed them chose, not whatever an editor
-- writes into the document.
create table embed_model (
  embed_id text not null references embed (id) on delete cascade,
  model_id text not null references file (id) on delete cascade,
  chosen_by uuid not null references "user" ("id") on delete cascade,
  primary key (embed_id, model_id)
);

-- Codes made before go on with the models that were noted for them, as far as they are in the same workspace.
insert into embed_model (embed_id, model_id, chosen_by)
select e.id, u.model_id, e.created_by
from embed e
join file d on d.id = e.file_id
join file_use u on u.file_id = e.file_id
join file m on m.id = u.model_id and m.workspace_id = d.workspace_id
where e.created_by is not null
on conflict do nothing;
