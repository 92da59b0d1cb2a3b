-- The store: publications and their versions, which never change once published; what people do with them; talk; moderation.

create table market_app (
  id text primary key,
  kind text not null check (kind in ('model', 'dashboard', 'project', 'app')),
  -- The file it is made from; the publication outlives it.
  source_id text,
  workspace_id text references workspace (id) on delete set null,
  author uuid references "user" ("id") on delete set null,
  state text not null default 'publishing' check (state in ('publishing', 'published', 'off-shelf')),
  -- The version on the shelf.
  current integer,
  created_at timestamptz not null default now(),
  -- Hidden by an operator, and why.
  hidden_at timestamptz,
  hidden_because text not null default '',
  views integer not null default 0,
  likes integer not null default 0,
  favourites integer not null default 0,
  downloads integer not null default 0,
  comments integer not null default 0,
  -- See rankOf in model-schema/market.ts.
  rank double precision not null default 0
);
-- One publication of a file.
create unique index market_app_source on market_app (source_id);
create index market_app_rank on market_app (rank desc) where state = 'published';
create index market_app_author on market_app (author);

create table market_version (
  app_id text not null references market_app (id) on delete cascade,
  number integer not null,
  name text not null,
  summary text not null,
  description text not null,
  notes text not null,
  cover text,
  tags text[] not null,
  topic text not null,
  licence text not null,
  -- Page range, incentive settings; the run that is recorded: scenario, seed, ticks, hash.
  pages jsonb not null,
  incentive jsonb not null,
  run jsonb,
  created_at timestamptz not null default now(),
  -- Null while it is prepared.
  published_at timestamptz,
  proof text not null default 'none' check (proof in ('none', 'waiting', 'verified', 'different', 'failed')),
  proof_job text,
  proof_at timestamptz,
  primary key (app_id, number)
);
create index market_version_proof on market_version (proof_job) where proof = 'waiting';

-- The frozen files of a version, by the ids they have in the workspace.
create table market_file (
  app_id text not null,
  number integer not null,
  id text not null,
  parent_id text,
  kind text not null,
  name text not null,
  -- The model an experiment is linked to.
  model_id text,
  -- The document as one Yjs update, and SHA-256 of its .holo text; null for folders.
  blob bytea,
  hash text,
  place integer not null,
  primary key (app_id, number, id),
  foreign key (app_id, number) references market_version (app_id, number) on delete cascade
);
create index market_file_hash on market_file (hash);

create table market_like (
  app_id text not null references market_app (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  at timestamptz not null default now(),
  primary key (app_id, user_id)
);
create table market_favourite (
  app_id text not null references market_app (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  at timestamptz not null default now(),
  primary key (app_id, user_id)
);
create index market_favourite_user on market_favourite (user_id);
-- One a visitor and day: a person's id, or a hash of where a stranger came from.
create table market_view (
  app_id text not null references market_app (id) on delete cascade,
  visitor text not null,
  day date not null,
  primary key (app_id, day, visitor)
);
-- One a person, however many copies.
create table market_download (
  app_id text not null references market_app (id) on delete cascade,
  user_id uuid not null references "user" ("id") on delete cascade,
  at timestamptz not null default now(),
  primary key (app_id, user_id)
);
-- Where a file of a workspace came from.
create table market_copy (
  file_id text primary key references file (id) on delete cascade,
  app_id text not null references market_app (id) on delete cascade,
  number integer not null,
  at timestamptz not null default now()
);
create index market_copy_app on market_copy (app_id);
create table market_follow (
  follower uuid not null references "user" ("id") on delete cascade,
  author uuid not null references "user" ("id") on delete cascade,
  at timestamptz not null default now(),
  primary key (follower, author)
);
create index market_follow_author on market_follow (author);
create table market_author (
  user_id uuid primary key references "user" ("id") on delete cascade,
  bio text not null default ''
);

create table forum_thread (
  id text primary key,
  section text not null,
  title text not null,
  author uuid references "user" ("id") on delete set null,
  at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  comments integer not null default 0,
  hidden_at timestamptz,
  hidden_because text not null default ''
);
create index forum_thread_last on forum_thread (last_at desc);

-- Under a publication or in a thread of the forum. A reply answers a comment that is none itself.
create table market_comment (
  id text primary key,
  app_id text references market_app (id) on delete cascade,
  thread_id text references forum_thread (id) on delete cascade,
  reply_to text references market_comment (id) on delete cascade,
  author uuid references "user" ("id") on delete set null,
  body text not null,
  at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  hidden_at timestamptz,
  hidden_because text not null default '',
  check ((app_id is null) <> (thread_id is null))
);
create index market_comment_app on market_comment (app_id, at) where app_id is not null;
create index market_comment_thread on market_comment (thread_id, at) where thread_id is not null;

-- Reports of people and appeals of authors, decided by operators.
create table market_case (
  id text primary key,
  sort text not null check (sort in ('report', 'appeal')),
  about text not null check (about in ('app', 'comment', 'thread')),
  target text not null,
  by_user uuid references "user" ("id") on delete set null,
  reason text not null,
  words text not null,
  at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references "user" ("id") on delete set null,
  outcome text check (outcome in ('hidden', 'shown'))
);
-- A person reports, or an author appeals, once until it is decided.
create unique index market_case_open on market_case (sort, about, target, by_user) where decided_at is null;
create index market_case_target on market_case (about, target);
