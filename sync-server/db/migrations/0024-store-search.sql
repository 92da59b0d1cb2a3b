-- Publications are found by their words (sync-server/market/words.ts), which a version has from when it is prepared; null before they were kept.
alter table market_version add column words tsvector;
create index market_version_words on market_version using gin (words) with (fastupdate = off);
-- What is prepared, asked for each publication that is listed.
create index market_version_draft on market_version (app_id) where published_at is null;
create index market_version_wordless on market_version (app_id) where words is null;
-- Authors by theirs.
create index user_name_words on "user" using gin (to_tsvector('simple', name));
