-- What whoever manages a file has taken from one person, on the file or on all that is in a folder.
create table file_restriction (
  file_id text not null references file (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  rule text not null check (rule in ('only-view', 'cannot-view', 'cannot-view-or-remove')),
  set_by uuid references "user" ("id") on delete set null,
  at timestamptz not null default now(),
  primary key (file_id, user_id)
);
create index file_restriction_user on file_restriction (user_id);
