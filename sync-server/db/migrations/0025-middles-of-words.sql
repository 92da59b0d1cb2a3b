-- Publications are found by the middles of words too: by what begins the endings of their words (sync-server/market/words.ts).
alter table market_version add column endings tsvector;
update market_version v set endings = array_to_tsvector(array(
  select distinct substr(lexeme, i) from unnest(v.words), generate_series(2, length(lexeme) - 2) i
  where lexeme !~ '[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]'
  limit 3000
)) where words is not null;
create index market_version_endings on market_version using gin (endings) with (fastupdate = off);
