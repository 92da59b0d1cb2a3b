-- What a file is found and shown by: tags, favourites, images, texts of its elements; and which model an experiment uses.

alter table file add column trashed_by uuid references "user" ("id") on delete set null;
alter table file add column from_market boolean not null default false;
-- Names and notes of the elements in the document; filled when it is compacted.
alter table file add column content text not null default '';
create index file_trashed on file (workspace_id, trashed_at) where trashed_at is not null;

-- Deleting a folder looks its contents up by these.
create index file_inside on file (parent_id);
create index file_opened_file on file_opened (file_id);

create table tag (
  id text primary key,
  set_id text not null references file (id) on delete cascade,
  name text not null,
  color text not null default '',
  place integer not null default 0
);
create unique index tag_name on tag (set_id, lower(name));

-- At most one tag of a set.
create table file_tag (
  file_id text not null references file (id) on delete cascade,
  set_id text not null references file (id) on delete cascade,
  tag_id text not null references tag (id) on delete cascade,
  primary key (file_id, set_id)
);
create index file_tag_tag on file_tag (tag_id);
create index file_tag_set on file_tag (set_id);

create table favourite (
  user_id uuid not null references "user" ("id") on delete cascade,
  file_id text not null references file (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (user_id, file_id)
);
create index favourite_file on favourite (file_id);

-- Checked at commit, so that a model and its experiments may go together, and a model alone may not.
create table file_use (
  file_id text primary key references file (id) on delete cascade,
  model_id text not null references file (id) deferrable initially deferred
);
create index file_use_model on file_use (model_id);

-- Covers, icons, avatars, by the hash of their bytes.
create table image (
  id text primary key,
  type text not null check (type in ('image/jpeg', 'image/png')),
  bytes bytea not null,
  at timestamptz not null default now()
);
