-- Teams and organizations: what they show, how one gets in, what their members' plans are.

alter table workspace add column icon text;
alter table workspace add column profile text not null default '';
-- Only what differs from the defaults.
alter table workspace add column switches jsonb not null default '{}';
-- In the link by which people ask to join; null while the link is closed.
alter table workspace add column join_code text unique;
create unique index workspace_name on workspace (owner_id, lower(name)) where type <> 'personal';

create table join_request (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references "user" ("id") on delete set null,
  accepted boolean
);
create unique index join_request_pending on join_request (workspace_id, user_id) where answered_at is null;

-- To a workspace or to a single file; answered once.
create table invitation (
  id text primary key,
  workspace_id text references workspace (id) on delete cascade,
  file_id text references file (id) on delete cascade,
  email text not null,
  role text not null check (role in ('manager', 'editor', 'commenter', 'viewer')),
  invited_by uuid references "user" ("id") on delete set null,
  at timestamptz not null default now(),
  answered_at timestamptz,
  accepted boolean,
  revoked_at timestamptz,
  check (num_nonnulls(workspace_id, file_id) = 1)
);
create unique index invitation_pending on invitation (coalesce(workspace_id, file_id), email)
  where answered_at is null and revoked_at is null;
create index invitation_workspace on invitation (workspace_id);
create index invitation_file on invitation (file_id);
create index invitation_email on invitation (email) where answered_at is null and revoked_at is null;

create table subscription (
  user_id uuid primary key references "user" ("id") on delete cascade,
  level text not null check (level in ('free', 'basic', 'plus', 'pro', 'unlimited', 'custom')),
  until timestamptz
);
