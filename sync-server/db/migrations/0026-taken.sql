-- How much of what a plan allows in one file a document takes (model-schema/taken.ts), counted when it is compacted; null before that.
alter table file add column taken jsonb;
