-- How a model uses tools (by calls, or by blocks in its text), what its tokens cost, and what all who use it may spend on it in 30 days (null: no limit).
-- Money is in millionths of a US dollar; prices are for a million tokens, so that a token costs its price / 1,000,000.
alter table copilot_provider add column tools text not null default 'calls' check (tools in ('calls', 'text'));
alter table copilot_provider add column price_in bigint check (price_in >= 0);
alter table copilot_provider add column price_out bigint check (price_out >= 0);
alter table copilot_provider add column month_cost bigint check (month_cost >= 0);
-- What a call cost, and whose plan it counts for: an organization's owner, else who asked.
alter table copilot_use add column cost bigint not null default 0;
alter table copilot_use add column payer_id uuid references "user" ("id") on delete set null;
create index copilot_use_provider on copilot_use (provider, at);
create index copilot_use_payer on copilot_use (payer_id, at);
