-- Who is in a document is shown with their picture.

alter table rt_ticket add column avatar text;
