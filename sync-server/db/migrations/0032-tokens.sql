-- Tokens with which programs act for a person: what is stored is a hash. Without workspaces and files it is for everything the person may open.
create table token (
  id text primary key,
  user_id uuid not null references "user" ("id") on delete cascade,
  hash bytea not null unique,
  label text not null,
  scope text not null check (scope in ('read', 'propose')),
  workspaces text[] not null default '{}',
  files text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index token_user on token (user_id);
