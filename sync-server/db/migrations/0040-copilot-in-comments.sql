-- What the copilot answered in a thread, asked by the author of the comment: the language model's name (null: the guide's) and the proposal it made.
alter table comment add column copilot jsonb;
