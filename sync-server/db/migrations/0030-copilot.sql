-- Language models that people and workspaces have connected. The key is sealed (AES-256-GCM); what it opens is never sent to a page.
create table copilot_provider (
  id text primary key,
  user_id uuid references "user" ("id") on delete cascade,
  workspace_id text references workspace (id) on delete cascade,
  label text not null,
  wire text not null check (wire in ('openai', 'anthropic')),
  url text not null,
  model text not null,
  sealed bytea not null,
  last4 text not null,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (workspace_id is null))
);
create index copilot_provider_user on copilot_provider (user_id);
create index copilot_provider_workspace on copilot_provider (workspace_id);

-- One row for each call of a language model: budgets of turns and days are sums of it.
create table copilot_use (
  user_id uuid not null references "user" ("id") on delete cascade,
  provider text not null,
  turn text not null,
  at timestamptz not null default now(),
  tokens_in bigint not null default 0,
  tokens_out bigint not null default 0,
  id bigint generated always as identity primary key
);
create index copilot_use_user on copilot_use (user_id, at);
