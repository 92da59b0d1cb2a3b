-- What a job goes on from: one state, the latest. That of a training holds its networks, its replay buffer and its episodes.
create table job_state (
  job_id text primary key references job (id) on delete cascade,
  bytes bytea not null
);
