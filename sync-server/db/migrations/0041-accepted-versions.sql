-- A version kept by itself when parts of a proposal were accepted says of which proposal, and whose it was; there is one for each proposal.
alter table doc_version add column origin jsonb;
create unique index doc_version_origin on doc_version (doc_id, (origin ->> 'proposal')) where kind = 'auto' and origin is not null;
