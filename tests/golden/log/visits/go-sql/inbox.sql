-- The inbox of a consumer, written by outbox-kit 0.1.0; it belongs into the consumer's database.
-- A message that is in it has been handled. Can be run again at any time.
create table if not exists "public"."inbox" (
    "consumer" text not null, -- who has handled it
    "message_id" uuid not null, -- the header id
    "handled_at" timestamp with time zone not null default clock_timestamp(), -- for retention
    primary key ("consumer", "message_id")
);
