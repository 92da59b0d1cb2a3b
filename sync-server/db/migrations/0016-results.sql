-- Results of experiments that people keep on the server: packed by the page, never read here but for what lists say of them.

create table experiment_result (
  id text primary key,
  file_id text not null references file (id) on delete cascade,
  user_id uuid references "user" ("id") on delete set null,
  -- Whose plan bounds how many there are, and how large they are together.
  payer_id uuid not null references "user" ("id") on delete cascade,
  store_payer_id uuid not null references "user" ("id") on delete cascade,
  key text not null,
  name text not null,
  type text not null,
  runs integer not null,
  failed integer not null,
  ended text not null,
  started_at timestamptz not null,
  uploaded_at timestamptz not null default now(),
  bytes bigint not null,
  data bytea not null
);
create index experiment_result_file on experiment_result (file_id, started_at desc);
create index experiment_result_payer on experiment_result (payer_id);
create index experiment_result_store on experiment_result (store_payer_id);
-- Packed already.
alter table experiment_result alter column data set storage external;
