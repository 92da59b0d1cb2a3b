-- A second factor for accounts: better-auth's table (its names), and the codes spent in the last minutes, so that none opens twice.

alter table "user" add column "twoFactorEnabled" boolean not null default false;

create table "twoFactor" (
  "id" uuid primary key default gen_random_uuid(),
  "secret" text not null,
  "backupCodes" text not null,
  "userId" uuid not null unique references "user" ("id") on delete cascade,
  "verified" boolean not null default true,
  "failedVerificationCount" integer not null default 0,
  "lockedUntil" timestamptz,
  "createdAt" timestamptz not null default current_timestamp
);

create table two_factor_spent (
  user_id uuid not null references "user" (id) on delete cascade,
  code text not null,
  at timestamptz not null default now(),
  primary key (user_id, code)
);
