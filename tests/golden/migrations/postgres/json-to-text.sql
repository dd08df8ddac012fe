-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
set lock_timeout = '10s';
set client_min_messages = warning; -- not a word about what is there already

-- Exchanges a CHECK that is as it was for another one; it lives as long as this session. Where it is not as it was,
-- because this has been run before, it stays. Rows that are there are looked at later, without a lock that stops writers.
create or replace procedure pg_temp.exchange_check(target text, rule_name text, was text, rule text)
language plpgsql as $procedure$
declare
    known text := (select coalesce(obj_description(oid, 'pg_constraint'), '')
                   from pg_constraint where conrelid = to_regclass(target) and conname = rule_name);
    replaced text := '';
begin
    if to_regclass(target) is null or known is distinct from was then
        return;
    elsif rule is null then
        execute format('alter table %s drop constraint %I', target, rule_name);
        return;
    elsif was is not null then
        replaced := format('drop constraint %I, ', rule_name);
    end if;
    execute format('alter table %s %sadd constraint %I check (%s) not valid', target, replaced, rule_name, rule);
    execute format('comment on constraint %I on %s is %L', rule_name, target, rule);
end
$procedure$;

-- Looks at the rows that are there; writers go on meanwhile.
create or replace procedure pg_temp.validate_check(target text, rule_name text)
language plpgsql as $procedure$
begin
    if exists (select from pg_constraint
               where conrelid = to_regclass(target) and conname = rule_name and not convalidated) then
        execute format('alter table %s validate constraint %I', target, rule_name);
    end if;
end
$procedure$;

-- How many of these columns a table has.
create or replace function pg_temp.columns_of(target text, variadic wanted text[]) returns bigint
language sql as $function$
    select count(*) from pg_attribute
    where attrelid = to_regclass(target) and attname = any (wanted) and not attisdropped
$function$;

-- CONTRACT: when nobody needs the old any more

-- 1. put the new table in the old one's place
--    when: while nobody writes, and after the connector has passed the last row (outbox-kit status); then the
--          connector's new config, then the new code
--    why: 'payload' is text, and was json; foreign keys, triggers, and views where they do not go by a name, stay with
--          the old table
do $swap$
declare
    part regclass;
    held record;
begin
    if coalesce(obj_description(to_regclass('"public"."outbox"'), 'pg_class'), '') = 'as of 8acb8d4a8165, by outbox-kit' then
        return; -- this has been run before
    end if;
    lock table "public"."outbox" in access exclusive mode;
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

    -- in a schema of its own until it takes the other's place, so that all its parts have their own names at once
    create schema if not exists "public_next";
-- The outbox. Append only: the connector publishes inserts and nothing else.
create table if not exists "public_next"."outbox" (
    "id" uuid not null,
    "aggregatetype" text not null,
    "aggregateid" text not null,
    "type" text not null,
    "payload" text not null,
    "sequence" bigint not null generated always as identity,
    "created_at" timestamp with time zone not null default clock_timestamp(),
    constraint "outbox_pkey" primary key ("id")
);
comment on column "public_next"."outbox"."id" is 'the event''s id: header id, what consumers deduplicate by';
comment on column "public_next"."outbox"."aggregatetype" is 'what changed';
comment on column "public_next"."outbox"."aggregateid" is 'which one changed: the message key';
comment on column "public_next"."outbox"."type" is 'what happened: header eventType';
comment on column "public_next"."outbox"."payload" is 'the event';
comment on column "public_next"."outbox"."sequence" is 'grows with every event: header sequence';
comment on column "public_next"."outbox"."created_at" is 'for retention; not read by the router';

-- Finds the rows that are old enough to go; a few pages for a table of any size.
create index if not exists "outbox_created_at"
    on "public_next"."outbox" using brin ("created_at");

-- a misspelt event would go to a topic that nobody reads
call pg_temp.ensure_check('"public_next"."outbox"', 'outbox_event_is_declared',
    '("aggregatetype", "type") in ((''Order'', ''A''), (''outbox-kit.canary'', ''Canary''))');

-- all events with an empty key share one partition and one order
call pg_temp.ensure_check('"public_next"."outbox"', 'outbox_key_is_not_empty',
    '"aggregateid"::text <> ''''');

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
call pg_temp.ensure_check('"public_next"."outbox"', 'outbox_payload_fits',
    'octet_length("payload"::text) between 1 and 900000');

    -- the rows that it has not got yet; the connector sees none of these, for the table is not in its publication
    insert into "public_next"."outbox" ("id", "aggregatetype", "aggregateid", "type", "payload", "sequence", "created_at") overriding system value
    select o."id", o."aggregatetype", o."aggregateid", o."type", o."payload"::text::text, o."sequence", o."created_at"
    from "public"."outbox" o
    where not exists (select from "public_next"."outbox" n where n."id" = o."id")
    order by o."created_at";
    perform setval(pg_get_serial_sequence('"public_next"."outbox"', 'sequence'), greatest(
        (select max("sequence") from "public_next"."outbox"),
        pg_sequence_last_value(pg_get_serial_sequence('"public"."outbox"', 'sequence')::regclass),
        1));

    -- the owner and the rights are the old one's
    select relowner::regrole::text as name into held from pg_class where oid = '"public"."outbox"'::regclass;
    execute format('alter table %s owner to %s', '"public_next"."outbox"', held.name);
    for held in select lower(a.privilege_type) as allowed,
            case a.grantee when 0 then 'public' else a.grantee::regrole::text end as name
        from pg_class c, aclexplode(c.relacl) a
        where c.oid = '"public"."outbox"'::regclass and a.grantee <> c.relowner
    loop
        execute format('grant %s on %s to %s', held.allowed, '"public_next"."outbox"', held.name);
    end loop;

    create schema if not exists "public_before";
    for part in select inhrelid::regclass from pg_inherits where inhparent = '"public"."outbox"'::regclass loop
        execute format('alter table %s set schema %I', part, 'public_before');
    end loop;
    alter table "public"."outbox" set schema "public_before";
    for part in select inhrelid::regclass from pg_inherits where inhparent = '"public_next"."outbox"'::regclass loop
        execute format('alter table %s set schema %I', part, 'public');
    end loop;
    alter table "public_next"."outbox" set schema "public";
    comment on table "public"."outbox" is 'as of 8acb8d4a8165, by outbox-kit';
    drop schema "public_next";

    -- within this transaction, so that the connector misses no row of either table
-- The heartbeat: a row now and then lets the slot advance while the outbox is idle and the rest of the server writes.
create table if not exists "public"."outbox_heartbeat" (
    beat_at timestamp with time zone primary key
);
-- The connector's role: it may log in, stream, read these two tables and beat. Its password is set apart from
-- this script. On a managed server that keeps REPLICATION to itself, grant its own role instead (rds_replication).
do $block$
begin
    if not exists (select from pg_roles where rolname = 'shop_outbox') then
        create role "shop_outbox" login replication;
    end if;
end
$block$;

do $block$
begin
    execute format('grant connect on database %I to %I', current_database(), 'shop_outbox');
end
$block$;

grant usage on schema "public" to "shop_outbox";
grant select on "public"."outbox", "public"."outbox_heartbeat" to "shop_outbox";
grant insert, delete on "public"."outbox_heartbeat" to "shop_outbox";
-- The publication: these two tables, inserts only, so that an UPDATE or a changed id can never republish an event.
do $block$
begin
    if not exists (select from pg_publication where pubname = 'shop_outbox') then
        create publication "shop_outbox" for table "public"."outbox", "public"."outbox_heartbeat"
            with (publish = 'insert');
        return;
    end if;
    if (select count(*) <> 2 or count(*) <> count(*) filter (
            where prrelid in ('"public"."outbox"'::regclass, '"public"."outbox_heartbeat"'::regclass))
        from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where p.pubname = 'shop_outbox') then
        alter publication "shop_outbox" set table "public"."outbox", "public"."outbox_heartbeat";
    end if;
    if not exists (select from pg_publication
                   where pubname = 'shop_outbox' and pubinsert
                     and not (pubupdate or pubdelete or pubtruncate)
                     and pubviaroot = false) then
        alter publication "shop_outbox"
            set (publish = 'insert', publish_via_partition_root = false);
    end if;
end
$block$;
end
$swap$;

-- 2. drop the table as it was
--    when: when nobody asks for its rows any more
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- drop schema if exists "public_before" cascade;
