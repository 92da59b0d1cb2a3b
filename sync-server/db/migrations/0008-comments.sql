-- Comments on a document: threads hold on to a place or an element, and what people wrote in them. Versions say who had
-- worked on the document, and a remark.

create table comment_thread (
  id text primary key,
  file_id text not null references file (id) on delete cascade,
  anchor jsonb not null,
  created_by uuid references "user" ("id") on delete set null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references "user" ("id") on delete set null
);
create index comment_thread_file on comment_thread (file_id, created_at);

-- A thread is there as long as a comment in it is. The body is rich text as JSON text: it may hold what jsonb refuses.
create table comment (
  id text primary key,
  thread_id text not null references comment_thread (id) on delete cascade,
  author uuid references "user" ("id") on delete set null,
  body text not null,
  at timestamptz not null default clock_timestamp(),
  edited_at timestamptz
);
create index comment_of_thread on comment (thread_id, at);

alter table doc_version add column remark text not null default '';
alter table doc_version add column people text[] not null default '{}';
