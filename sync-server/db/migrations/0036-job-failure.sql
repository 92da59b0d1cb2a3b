-- Why a job failed, as a text for every language; `error` says it in English.
alter table job add column failure jsonb;
