-- Whether a cover was drawn by the editor (what the model last showed); a person's own choice is never replaced by such a one.
alter table file add column cover_drawn boolean not null default false;
