-- What a call that goes on may still use of a budget: tokens, and millionths of a US dollar. Calls at the same time count each other by it; 0 once a call
-- has ended.
alter table copilot_use add column held_tokens bigint not null default 0;
alter table copilot_use add column held_cost bigint not null default 0;
