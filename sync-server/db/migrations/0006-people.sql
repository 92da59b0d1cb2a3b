-- What happens to people and what they do: notifications, the audit log, failed sign-ins.

create table notification (
  id text primary key,
  user_id uuid not null references "user" ("id") on delete cascade,
  kind text not null,
  data jsonb not null default '{}',
  at timestamptz not null default now(),
  read_at timestamptz
);
create index notification_user on notification (user_id, at desc, id desc);

-- Outlives what it speaks of: no references.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id text,
  action text not null,
  workspace_id text,
  file_id text,
  address text not null default '',
  detail jsonb not null default '{}'
);
create index audit_workspace on audit (workspace_id, id desc) where workspace_id is not null;
create index audit_user on audit (user_id, id desc);

-- By address, whether or not there is such an account.
create table login_failure (
  email text primary key,
  failures integer not null default 0,
  last_at timestamptz not null default now(),
  locked_until timestamptz
);
