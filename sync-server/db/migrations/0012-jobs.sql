-- Work done on the server for somebody: who pays, how far it is, what came of it. The queue itself is pg-boss's, in its own schema.

create table job (
  id text primary key,
  kind text not null,
  user_id uuid not null references "user" ("id") on delete cascade,
  -- Whose cloud time it takes.
  payer_id uuid not null references "user" ("id") on delete cascade,
  file_id text references file (id) on delete set null,
  input jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Between 0 and 1, and what it is at.
  progress double precision not null default 0,
  note text not null default '',
  result jsonb,
  error text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  spent_ms bigint not null default 0
);
create index job_user on job (user_id, created_at desc);
create index job_payer on job (payer_id, created_at);
