-- The inbox of those who read the events of 'second', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. For the consumer's own database. Can be run again at any time.
begin;

-- A lock that is not to be had must not make the consumer queue up behind us.
set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- A message that is in it has been handled, once for each consumer.
create table if not exists "public"."inbox" (
    consumer text not null,
    message_id uuid not null,
    received_at timestamp with time zone not null default clock_timestamp(),
    constraint "inbox_pkey" primary key (consumer, message_id)
);
comment on column "public"."inbox".consumer is 'who has handled it';
comment on column "public"."inbox".message_id is 'the header id';
comment on column "public"."inbox".received_at is 'for retention';

-- Finds the rows that are old enough to go; a few pages for a table of any size. A message can come again for as long
-- as its row is in the outbox, and then as long as its topic keeps it, a week unless told otherwise. Until it says 0:
--   delete from "public"."inbox" where ctid = any (array(select ctid from "public"."inbox"
--       where received_at < now() - interval '14 days' limit 5000));
create index if not exists "inbox_received_at" on "public"."inbox" using brin (received_at);

-- What a consumer may: remember a message at the database's own time, and forget it. Grant it to the consumer's login.
do $block$
begin
    if not exists (select from pg_roles where rolname = 'second_inbox') then
        create role "second_inbox" nologin;
    end if;
end
$block$;

grant usage on schema "public" to "second_inbox";
grant insert (consumer, message_id), select, delete on "public"."inbox" to "second_inbox";

commit;
