-- Elements of which something is left though they were deleted, and since when (milliseconds since 1970) the server knows of it.

alter table doc add column orphans jsonb not null default '{}';
