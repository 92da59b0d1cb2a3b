-- Share links with a password, a number of uses, a right to copy; embed codes.

alter table share_link add column password_hash text;
alter table share_link add column max_uses integer check (max_uses > 0);
alter table share_link add column uses integer not null default 0;
alter table share_link add column may_copy boolean not null default false;

-- Those who are signed in use a link up once, however often they open it.
create table share_use (
  link_id text not null references share_link (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  at timestamptz not null default now(),
  primary key (link_id, user_id)
);

create table embed (
  id text primary key,
  file_id text not null references file (id) on delete cascade,
  created_by uuid references "user" ("id") on delete set null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- Sites that may show it; empty: all.
  origins text[] not null default '{}',
  options jsonb not null default '{}'
);
create index embed_file on embed (file_id);
