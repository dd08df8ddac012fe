-- The outbox of 'billing', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.
begin;

-- A lock that is not to be had must not make the application queue up behind us.
set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- Adds a CHECK, or replaces it where the schema file has changed; it lives as long as this session.
-- The rule is kept as the constraint's comment, so that the same rule is never checked against the rows twice.
create or replace procedure pg_temp.ensure_check(target regclass, rule_name text, rule text)
language plpgsql as $procedure$
declare
    known text := (select coalesce(obj_description(oid, 'pg_constraint'), '')
                   from pg_constraint where conrelid = target and conname = rule_name);
begin
    if known = rule then
        return;
    elsif known is not null then
        execute format('alter table %s drop constraint %I', target, rule_name);
    end if;
    execute format('alter table %s add constraint %I check (%s)', target, rule_name, rule);
    execute format('comment on constraint %I on %s is %L', rule_name, target, rule);
end
$procedure$;

-- The outbox. Append only: the connector publishes inserts and nothing else.
create table if not exists "public"."outbox" (
    "id" uuid not null,
    "aggregatetype" text not null,
    "aggregateid" text not null,
    "type" text not null,
    "payload" json not null,
    "sequence" bigint not null generated always as identity,
    "message_id" text not null,
    "created_at" timestamp with time zone not null default clock_timestamp(),
    constraint "outbox_pkey" primary key ("id")
);
comment on column "public"."outbox"."id" is 'the event''s id: header id, what consumers deduplicate by';
comment on column "public"."outbox"."aggregatetype" is 'what changed';
comment on column "public"."outbox"."aggregateid" is 'which one changed: the message key';
comment on column "public"."outbox"."type" is 'what happened: header eventType';
comment on column "public"."outbox"."payload" is 'the event; kept byte for byte';
comment on column "public"."outbox"."sequence" is 'grows with every event: header sequence';
comment on column "public"."outbox"."message_id" is 'header messageId';
comment on column "public"."outbox"."created_at" is 'for retention; not read by the router';

-- Finds the rows that are old enough to go; a few pages for a table of any size.
create index if not exists "outbox_created_at"
    on "public"."outbox" using brin ("created_at");

-- a misspelt event would go to a topic that nobody reads
call pg_temp.ensure_check('"public"."outbox"', 'outbox_event_is_declared',
    '("aggregatetype", "type") in ((''Conversation'', ''Billing.InvoiceSent''), (''outbox-kit.canary'', ''Canary''))');

-- all events with an empty key share one partition and one order
call pg_temp.ensure_check('"public"."outbox"', 'outbox_key_is_not_empty',
    '"aggregateid"::text <> ''''');

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
call pg_temp.ensure_check('"public"."outbox"', 'outbox_payload_fits',
    'octet_length("payload"::text) between 1 and 900000');

-- The heartbeat: a row now and then lets the slot advance while the outbox is idle and the rest of the server writes.
create table if not exists "public"."outbox_heartbeat" (
    beat_at timestamp with time zone primary key
);

-- The connector's role: it may log in, stream, read these two tables and beat. Its password is set apart from
-- this script. On a managed server that keeps REPLICATION to itself, grant its own role instead (rds_replication).
do $block$
begin
    if not exists (select from pg_roles where rolname = 'billing_outbox') then
        create role "billing_outbox" login replication;
    end if;
end
$block$;

do $block$
begin
    execute format('grant connect on database %I to %I', current_database(), 'billing_outbox');
end
$block$;

grant usage on schema "public" to "billing_outbox";
grant select on "public"."outbox", "public"."outbox_heartbeat" to "billing_outbox";
grant insert, delete on "public"."outbox_heartbeat" to "billing_outbox";

-- The application needs INSERT on the outbox: it is granted here to the roles that database.writers names.

-- The publication: these two tables, inserts only, so that an UPDATE or a changed id can never republish an event.
do $block$
begin
    if not exists (select from pg_publication where pubname = 'billing_outbox') then
        create publication "billing_outbox" for table "public"."outbox", "public"."outbox_heartbeat"
            with (publish = 'insert');
        return;
    end if;
    if (select count(*) <> 2 or count(*) <> count(*) filter (
            where prrelid in ('"public"."outbox"'::regclass, '"public"."outbox_heartbeat"'::regclass))
        from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where p.pubname = 'billing_outbox') then
        alter publication "billing_outbox" set table "public"."outbox", "public"."outbox_heartbeat";
    end if;
    if not exists (select from pg_publication
                   where pubname = 'billing_outbox' and pubinsert
                     and not (pubupdate or pubdelete or pubtruncate)
                     and pubviaroot = false) then
        alter publication "billing_outbox"
            set (publish = 'insert', publish_via_partition_root = false);
    end if;
end
$block$;

-- The feed: a new row of "public"."BillingOutboxData" becomes an event for each element of Operations.
-- It is a trigger that writes, because a view has no log that could be captured, and generated columns are not published
-- before PostgreSQL 18. It works in the owner's transaction: what breaks a rule of the outbox takes the owner's row with
-- it. What is no event of the schema file is passed over.
create or replace function "public"."outbox_feed"() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $procedure$
begin
    insert into "public"."outbox" ("id", "aggregatetype", "aggregateid", "type", "payload", "message_id")
    select * from (
        select
            gen_random_uuid()::uuid as "id",
            ('Conversation')::text as "aggregatetype",
            (coalesce(item -> 'Headers' ->> 'NServiceBus.ConversationId', item ->> 'MessageId'))::text as "aggregateid",
            (split_part(split_part(item -> 'Headers' ->> 'NServiceBus.EnclosedMessageTypes', ';', 1), ',', 1))::text as "type",
            (convert_from(decode(item ->> 'Body', 'base64'), 'UTF8'))::json as "payload",
            (item ->> 'MessageId')::text as "message_id"
        from jsonb_array_elements(new."Operations"::jsonb) with ordinality as listed (item, place)
        order by place
    ) as given
    where ("aggregatetype", "type") in (('Conversation', 'Billing.InvoiceSent'));
    return null;
end
$procedure$;

create or replace trigger "outbox_feed" after insert on "public"."BillingOutboxData"
    for each row execute function "public"."outbox_feed"();

commit;
