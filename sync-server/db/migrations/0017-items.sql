-- Who invited whom, what items did to plans, and workspaces that are beyond their plan.

-- A person's own invitation code; codes of operators have nobody.
alter table invitation_code add column user_id uuid unique references "user" ("id") on delete cascade;

-- A mailbox (as a hash) is welcomed once, also when its account is deleted and made again. Coins and points are the inviter's.
create table welcome (
  mailbox text primary key,
  user_id uuid not null,
  inviter_id uuid,
  coins bigint,
  points bigint,
  at timestamptz not null default now()
);
create index welcome_inviter on welcome (inviter_id, at);

create table plan_enlargement (
  user_id uuid not null references "user" ("id") on delete cascade,
  item text not null check (item in ('commonComponent', 'advancedComponent', 'workspace')),
  count integer not null check (count > 0),
  primary key (user_id, item)
);

-- A workspace whose owner has more than their plan allows: its documents are read-only, but for as long as a key keeps it open.
create table workspace_lock (
  workspace_id text primary key references workspace (id) on delete cascade,
  since timestamptz not null default now(),
  -- What there is too much of.
  quantity text not null,
  used double precision not null,
  allowed double precision not null,
  unlocked_until timestamptz,
  unlocked_by uuid references "user" ("id") on delete set null
);
