-- Coins, points and items as double-entry bookkeeping. A transaction moves amounts between holders: each asset's amounts add up to nothing
-- in each transaction, so nothing is ever made or lost. What comes into the world comes out of the holder "mint". Nothing is changed
-- or deleted afterwards; a mistake is mended by another transaction. The rules hold in the database itself, whoever writes.

create table ledger_transaction (
  id bigint generated always as identity primary key,
  -- Says which deed this is: done twice is done once.
  key text not null unique check (length(key) between 1 and 200),
  deed text not null,
  about jsonb not null default '{}',
  at timestamptz not null default now()
);

create table ledger_line (
  transaction_id bigint not null references ledger_transaction (id),
  -- "person:" and an account's id (which may be gone by now), "escrow:" and what for, or a holder of the platform.
  holder text not null check (holder ~ '^(person:[0-9a-f-]{36}|escrow:[A-Za-z0-9_:-]{1,100}|mint|shop|fee|used)$'),
  asset text not null check (asset in ('coins', 'points', 'goldKey', 'key', 'commonComponent', 'advancedComponent', 'energy', 'workspace')),
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, holder, asset)
);
create index ledger_line_holder on ledger_line (holder, transaction_id desc);

-- The sum of the lines of each person and escrow, kept by the trigger below; never below nothing. Holders of the platform have no
-- row here: every purchase would wait for the one before.
create table ledger_balance (
  holder text not null,
  asset text not null,
  amount bigint not null constraint ledger_balance_enough check (amount >= 0),
  primary key (holder, asset)
);

create function ledger_keep_balance() returns trigger language plpgsql as $$
begin
  if new.holder like '%:%' then
    insert into ledger_balance as b (holder, asset, amount) values (new.holder, new.asset, 0) on conflict do nothing;
    update ledger_balance set amount = amount + new.amount where holder = new.holder and asset = new.asset;
  end if;
  return null;
end $$;
create trigger ledger_keep_balance after insert on ledger_line for each row execute function ledger_keep_balance();

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is never changed: write another transaction' using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_line_fixed before update or delete or truncate on ledger_line for each statement execute function ledger_refuse();
create trigger ledger_transaction_fixed before update or delete or truncate on ledger_transaction for each statement execute function ledger_refuse();

-- Looked at when the transaction commits. Lines come with their transaction, never later.
create function ledger_balanced() returns trigger language plpgsql as $$
begin
  if (select at <> now() from ledger_transaction where id = new.transaction_id) then
    raise exception 'transaction % of the ledger is closed', new.transaction_id using errcode = 'integrity_constraint_violation';
  end if;
  if exists (select from ledger_line where transaction_id = new.transaction_id group by asset having sum(amount) <> 0) then
    raise exception 'transaction % of the ledger is not balanced', new.transaction_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_balanced after insert on ledger_line deferrable initially deferred for each row execute function ledger_balanced();
