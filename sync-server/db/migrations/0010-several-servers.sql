-- Up to which row the snapshot goes: who has heard less reads it whole.

alter table doc add column snapshot_seq bigint not null default 0;
-- What is there was merged before anybody counted.
update doc set snapshot_seq = last_seq where snapshot is not null;
