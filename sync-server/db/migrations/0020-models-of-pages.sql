-- Dashboards and charts use several models; an experiment still uses one.
alter table file_use drop constraint file_use_pkey;
alter table file_use add column many boolean not null default false;
alter table file_use add primary key (file_id, model_id);
create unique index file_use_one on file_use (file_id) where not many;
