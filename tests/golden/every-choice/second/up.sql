-- The outbox of 'second', written by outbox-kit 0.1.0 from its schema file.
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
    "payload" text not null,
    "created_at" timestamp with time zone not null default clock_timestamp(),
    constraint "outbox_pkey" primary key ("id")
);
comment on column "public"."outbox"."id" is 'the event''s id: header id, what consumers deduplicate by';
comment on column "public"."outbox"."aggregatetype" is 'what changed';
comment on column "public"."outbox"."aggregateid" is 'which one changed: the message key';
comment on column "public"."outbox"."type" is 'what happened: header eventType';
comment on column "public"."outbox"."payload" is 'the event';
comment on column "public"."outbox"."created_at" is 'for retention; not read by the router';

-- a misspelt event would go to a topic that nobody reads
call pg_temp.ensure_check('"public"."outbox"', 'outbox_event_is_declared',
    '("aggregatetype", "type") in ((''Second'', ''SecondThing''), (''outbox-kit.canary'', ''Canary''))');

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
    if not exists (select from pg_roles where rolname = 'second_outbox') then
        create role "second_outbox" login replication;
    end if;
end
$block$;

do $block$
begin
    execute format('grant connect on database %I to %I', current_database(), 'second_outbox');
end
$block$;

grant usage on schema "public" to "second_outbox";
grant select on "public"."outbox", "public"."outbox_heartbeat" to "second_outbox";
grant insert, delete on "public"."outbox_heartbeat" to "second_outbox";

-- The application: it may add events and take them out again, and no more.
grant usage on schema "public" to "shop";
grant insert, delete, select ("id") on "public"."outbox" to "shop";
grant usage on schema "public" to "the 'batch'";
grant insert, delete, select ("id") on "public"."outbox" to "the 'batch'";

-- The publication: these two tables, inserts only, so that an UPDATE or a changed id can never republish an event.
do $block$
begin
    if not exists (select from pg_publication where pubname = 'second_outbox') then
        create publication "second_outbox" for table "public"."outbox", "public"."outbox_heartbeat"
            with (publish = 'insert');
        return;
    end if;
    if (select count(*) <> 2 or count(*) <> count(*) filter (
            where prrelid in ('"public"."outbox"'::regclass, '"public"."outbox_heartbeat"'::regclass))
        from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where p.pubname = 'second_outbox') then
        alter publication "second_outbox" set table "public"."outbox", "public"."outbox_heartbeat";
    end if;
    if not exists (select from pg_publication
                   where pubname = 'second_outbox' and pubinsert
                     and not (pubupdate or pubdelete or pubtruncate)
                     and pubviaroot = false) then
        alter publication "second_outbox"
            set (publish = 'insert', publish_via_partition_root = false);
    end if;
end
$block$;

commit;
