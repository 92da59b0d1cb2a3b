-- Documents: a snapshot and the updates since, append only. One document per file of a kind that has content.

create table doc (
  id text primary key references file (id) on delete cascade,
  epoch text not null,
  schema integer not null default 1,
  min_writer integer not null default 1,
  snapshot bytea,
  last_seq bigint not null default 0,
  updated_at timestamptz not null default now()
);

-- One sequence for all documents. Numbers have holes and may become visible out of order: nothing may rely on either.
create table doc_update (
  seq bigint generated always as identity primary key,
  doc_id text not null references doc (id) on delete cascade,
  u bytea not null,
  user_id text not null,
  session_id text not null,
  at timestamptz not null default now()
);
create index doc_update_doc on doc_update (doc_id, seq);

-- Who first wrote under a Yjs client id; nobody else may.
create table doc_client (
  doc_id text not null references doc (id) on delete cascade,
  client_id bigint not null,
  user_id text not null,
  primary key (doc_id, client_id)
);

create table doc_version (
  id text primary key,
  doc_id text not null references doc (id) on delete cascade,
  epoch text not null,
  seq bigint not null,
  name text,
  kind text not null check (kind in ('auto', 'named', 'before-restore')),
  blob bytea not null,
  author text,
  at timestamptz not null default now()
);
create index doc_version_doc on doc_version (doc_id, at desc);

-- One connection each; kept by hash, deleted when used.
create table rt_ticket (
  hash text primary key,
  doc_id text not null,
  user_id text not null,
  session_id text not null,
  name text not null,
  share_id text,
  expires_at timestamptz not null
);
