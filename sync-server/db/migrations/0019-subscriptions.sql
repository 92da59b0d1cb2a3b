-- Subscriptions that are paid for by the period, what is paid, and the invoices.

-- Rows without an interval are given by operators; `until` is until when the plan is in force, days of grace included.
alter table subscription
  add column interval text check (interval in ('month', 'year')),
  add column status text not null default 'active' check (status in ('active', 'ending', 'pastDue')),
  add column period_from timestamptz,
  add column period_until timestamptz,
  add column price integer,
  add column day integer check (day between 1 and 31),
  add column next_level text check (next_level in ('free', 'basic', 'plus', 'pro', 'unlimited', 'custom')),
  add column next_interval text check (next_interval in ('month', 'year')),
  -- Whom the provider knows as the payer.
  add column customer text,
  -- When the period's end, or a payment that failed, is looked at (again).
  add column look_at timestamptz,
  add constraint subscription_paid check (interval is null or (period_from < period_until and price is not null and day is not null and look_at is not null));
create index subscription_look on subscription (look_at) where look_at is not null;

-- Something to be paid. `basis` is the end of the period it was reckoned from: paid when that is another, it is given back.
create table payment_order (
  id text primary key,
  user_id uuid references "user" ("id") on delete set null,
  change jsonb not null,
  basis timestamptz,
  amount integer not null check (amount > 0),
  currency text not null default 'usd',
  provider text not null,
  reference text,
  state text not null default 'open' check (state in ('open', 'paid', 'declined', 'refundDue', 'refunded')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index payment_order_user on payment_order (user_id, created_at desc);
create index payment_order_refund on payment_order (id) where state = 'refundDue';

-- What the provider told us; told twice it is heard once.
create table payment_event (
  id text primary key,
  at timestamptz not null default now()
);

-- Numbers without holes, each year from 1.
create table invoice_counter (
  year integer primary key,
  serial integer not null
);

create table invoice (
  year integer not null,
  serial integer not null,
  user_id uuid references "user" ("id") on delete set null,
  order_id text not null unique references payment_order (id),
  at timestamptz not null default now(),
  kind text not null check (kind in ('subscribe', 'upgrade', 'renewal')),
  level text not null,
  interval text not null,
  period_from timestamptz not null,
  period_until timestamptz not null,
  amount integer not null,
  currency text not null,
  primary key (year, serial)
);
create index invoice_user on invoice (user_id, at desc);
