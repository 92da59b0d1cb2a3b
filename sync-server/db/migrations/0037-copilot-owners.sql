-- What all language models of one owner may cost together in 30 days, in millionths of a US dollar. `owner` is 'server', 'person ID' or 'workspace ID'.
create table copilot_limit (
  owner text primary key,
  user_id uuid references "user" ("id") on delete cascade,
  workspace_id text references workspace (id) on delete cascade,
  month_cost bigint not null check (month_cost >= 0)
);
-- Whose model a call used; it is still counted after that model has been disconnected.
alter table copilot_use add column owner text not null default 'server';
update copilot_use set owner = coalesce('person ' || p.user_id, 'workspace ' || p.workspace_id, 'server')
  from copilot_provider p where p.id = copilot_use.provider;
create index copilot_use_owner on copilot_use (owner, at);
