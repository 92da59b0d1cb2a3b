-- Workspaces, the files in them, who else may see them.

create table workspace (
  id text primary key,
  type text not null check (type in ('personal', 'team', 'organization')),
  name text not null,
  owner_id uuid not null references "user" ("id") on delete cascade,
  created_at timestamptz not null default now()
);
create unique index workspace_personal on workspace (owner_id) where type = 'personal';

create table workspace_member (
  workspace_id text not null references workspace (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  role text not null check (role in ('owner', 'manager', 'editor', 'viewer')),
  joined_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_member_user on workspace_member (user_id);

create table file (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  parent_id text references file (id) on delete cascade,
  kind text not null,
  name text not null,
  remark text not null default '',
  cover text,
  creator_id uuid references "user" ("id") on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  trashed_at timestamptz
);
-- A name is taken once in a folder, per kind of file; what lies in the trash takes none.
create unique index file_name on file (workspace_id, coalesce(parent_id, ''), kind, lower(name)) where trashed_at is null;
create index file_parent on file (workspace_id, parent_id);

create table file_opened (
  user_id uuid not null references "user" ("id") on delete cascade,
  file_id text not null references file (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (user_id, file_id)
);
create index file_opened_recent on file_opened (user_id, at desc);

-- Revoking stamps the row: a grant that was taken back must not come to life by some other row.
create table collaborator (
  file_id text not null references file (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  role text not null check (role in ('manager', 'editor', 'commenter', 'viewer')),
  invited_by uuid references "user" ("id") on delete set null,
  at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (file_id, user_id)
);
create index collaborator_user on collaborator (user_id) where revoked_at is null;

-- The code in the link is the id and a signature by the server's secret: this table alone opens nothing.
create table share_link (
  id text primary key,
  file_id text not null references file (id) on delete cascade,
  role text not null check (role in ('editor', 'commenter', 'viewer')),
  created_by uuid references "user" ("id") on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index share_link_file on share_link (file_id);
