-- Nicknames are unique, whatever their case. Of those that were given twice the first account keeps it; the others get the start of their id.
update "user" u set name = left(u.name, 100) || ' ' || left(u.id::text, 8)
where exists (select 1 from "user" o where lower(o.name) = lower(u.name) and (o."createdAt", o.id) < (u."createdAt", u.id));
create unique index user_nickname on "user" (lower(name));
