-- What a job found on its way: read while it runs, and told to whoever goes on with it when its server died.

create table job_part (
  job_id text not null references job (id) on delete cascade,
  serial integer not null,
  data jsonb not null,
  primary key (job_id, serial)
);
