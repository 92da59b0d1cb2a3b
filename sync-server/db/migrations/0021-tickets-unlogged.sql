-- A ticket lives for a minute, and whoever loses one takes another: not worth a write to the disk. When Postgres crashes it empties this table.

alter table rt_ticket set unlogged;
