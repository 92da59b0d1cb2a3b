-- Talks with the copilot that people keep with a file, for those who may edit it. They go with the file, and with the account of whoever kept them.
-- The body is JSON text, checked when it comes in; the title is a text for every language.
create table copilot_talk (
  id text primary key,
  file_id text not null references file (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  title jsonb not null,
  turns integer not null,
  kept_at timestamptz not null default now(),
  body text not null
);
create index copilot_talk_file on copilot_talk (file_id, kept_at desc);
create index copilot_talk_user on copilot_talk (user_id);
