-- Publications are recognised by their traits when they come back changed (sync-server/market/traits.ts).

-- Null for folders, and for what was published before; ascending.
alter table market_file add column traits integer[];

-- Of the versions on the shelf: where each trait is found.
create table market_trait (
  trait integer not null,
  app_id text not null references market_app (id) on delete cascade,
  file_id text not null,
  primary key (trait, app_id, file_id)
);
create index market_trait_app on market_trait (app_id);

-- What a version is like, and how much (0 to 1); it waits for a moderator unless they let it pass before.
alter table market_version add column like_app text references market_app (id) on delete set null;
alter table market_version add column like_share real;
create index market_version_like on market_version (like_app) where like_app is not null;
-- The publications that a moderator found it not to be taken from.
alter table market_app add column cleared text[] not null default '{}';

-- An author asks for what is prepared and waits.
alter table market_case drop constraint market_case_about_check;
alter table market_case add constraint market_case_about_check check (about in ('app', 'comment', 'thread', 'draft'));
