-- Models of the whole server belong to nobody; and what each person may use of a model in 24 hours, in tokens (null: as much as they like).
alter table copilot_provider drop constraint copilot_provider_check;
alter table copilot_provider add constraint copilot_provider_owner check (user_id is null or workspace_id is null);
alter table copilot_provider add column day_tokens bigint check (day_tokens >= 0);
