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

-- EXPAND: before the new code is deployed; the old code does not notice

-- 1. add 'kind', 'the key', 'it's', 'body', 'who', 'At'
--    when: before the new code is deployed
--    why: nullable, so that no row is rewritten and the code that does not know them can go on
alter table "public"."outbox"
    add column if not exists "kind" text,
    add column if not exists "the key" text,
    add column if not exists "it's" text,
    add column if not exists "body" json,
    add column if not exists "who" text,
    add column if not exists "At" timestamp with time zone;
comment on column "public"."outbox"."kind" is 'what changed';
comment on column "public"."outbox"."the key" is 'which one changed: the message key';
comment on column "public"."outbox"."it's" is 'what happened: header eventType';
comment on column "public"."outbox"."body" is 'the event; kept byte for byte';
comment on column "public"."outbox"."who" is 'header tenant';
comment on column "public"."outbox"."At" is 'for retention; not read by the router';

-- 2. keep 'aggregatetype' and 'kind', 'aggregateid' and 'the key', 'type' and 'it's', 'payload' and 'body', 'created_at' and 'At', 'tenant' and 'who' the same by a trigger
--    when: before the new code is deployed
--    why: the connector reads one name and the code of either schema file writes one: both must hold the value
create or replace function "public"."outbox_mirror"() returns trigger
language plpgsql as $function$
begin
    new."kind" := coalesce(new."kind", new."aggregatetype");
    new."aggregatetype" := coalesce(new."aggregatetype", new."kind");
    new."the key" := coalesce(new."the key", new."aggregateid");
    new."aggregateid" := coalesce(new."aggregateid", new."the key");
    new."it's" := coalesce(new."it's", new."type");
    new."type" := coalesce(new."type", new."it's");
    new."body" := coalesce(new."body", new."payload");
    new."payload" := coalesce(new."payload", new."body");
    new."At" := coalesce(new."At", new."created_at");
    new."created_at" := coalesce(new."created_at", new."At");
    new."who" := coalesce(new."who", new."tenant");
    new."tenant" := coalesce(new."tenant", new."who");
    return new;
end
$function$;

do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'aggregatetype', 'aggregateid', 'type', 'payload', 'created_at', 'tenant') = 6 then
        drop trigger if exists "outbox_mirror" on "public"."outbox";
        create trigger "outbox_mirror" before insert on "public"."outbox"
            for each row execute function "public"."outbox_mirror"();
    end if;
end
$block$;

-- MIGRATE: while both may write

-- 3. fill 'kind', 'the key', 'it's', 'body', 'who', 'At'
--    when: after the last old writer is gone; before that where it is only a new name
--    why: rows from before have nothing there; put in what you know better than this script does
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'aggregatetype') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "kind" = "aggregatetype"::text
        where "kind" is null and "aggregatetype" is not null and ctid = any (array(
            select ctid from "public"."outbox" where "kind" is null and "aggregatetype" is not null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'aggregateid') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "the key" = "aggregateid"::text
        where "the key" is null and "aggregateid" is not null and ctid = any (array(
            select ctid from "public"."outbox" where "the key" is null and "aggregateid" is not null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'type') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "it's" = "type"::text
        where "it's" is null and "type" is not null and ctid = any (array(
            select ctid from "public"."outbox" where "it's" is null and "type" is not null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'payload') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "body" = "payload"::json
        where "body" is null and "payload" is not null and ctid = any (array(
            select ctid from "public"."outbox" where "body" is null and "payload" is not null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'tenant') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "who" = "tenant"::text
        where "who" is null and "tenant" is not null and ctid = any (array(
            select ctid from "public"."outbox" where "who" is null and "tenant" is not null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'created_at') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "At" = "created_at"::timestamp with time zone
        where "At" is null and "created_at" is not null and ctid = any (array(
            select ctid from "public"."outbox" where "At" is null and "created_at" is not null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;

-- 4. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ column.exclude.list = public\.outbox\.created_at -> public\.outbox\.At
--   ~ transforms.outbox.route.by.field = aggregatetype -> kind [wire]
--   ~ transforms.outbox.table.field.event.key = aggregateid -> the key [wire]
--   ~ transforms.outbox.table.field.event.payload = payload -> body [wire]
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,tenant:header:tenant -> it's:header:eventType,kind:header:aggregateType,sequence:header:sequence,who:header:tenant [wire]

-- CONTRACT: when nobody needs the old any more

-- 5. require 'kind', 'the key', 'it's', 'body', 'who', 'At'
--    when: after the last old writer is gone
--    why: no row may lack it any more; those that do must be filled, or gone, before
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"kind" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "kind" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"the key" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "the key" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"it''s" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "it's" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"body" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "body" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"who" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "who" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"At" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "At" set default clock_timestamp(), alter column "At" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;

-- 6. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then
-- a misspelt event would go to a topic that nobody reads
call pg_temp.exchange_check('"public"."outbox"', 'outbox_event_is_declared',
'("aggregatetype", "type") in ((''Order'', ''A''), (''outbox-kit.canary'', ''Canary''))',
'("kind", "it''s") in ((''Order'', ''A''), (''outbox-kit.canary'', ''Canary''))');
-- all events with an empty key share one partition and one order
call pg_temp.exchange_check('"public"."outbox"', 'outbox_key_is_not_empty',
'"aggregateid"::text <> ''''',
'"the key"::text <> ''''');
-- a message that the broker refuses as too large stops the connector; an empty one says nothing
call pg_temp.exchange_check('"public"."outbox"', 'outbox_payload_fits',
'octet_length("payload"::text) between 1 and 900000',
'octet_length("body"::text) between 1 and 900000');
call pg_temp.validate_check('"public"."outbox"', 'outbox_event_is_declared');
call pg_temp.validate_check('"public"."outbox"', 'outbox_key_is_not_empty');
call pg_temp.validate_check('"public"."outbox"', 'outbox_payload_fits');

-- 7. drop the index 'age' and make 'age'
--    when: after the last old writer is gone
drop index concurrently if exists "public"."outbox_created_at";
-- Writers go on meanwhile. One that fails leaves an index behind that is not valid: drop it, and run this again.
create index concurrently if not exists "outbox_created_at"
    on "public"."outbox" using brin ("At");

-- 8. let 'aggregatetype', 'aggregateid', 'type', 'payload', 'created_at', 'tenant' be null
--    when: after the last old writer is gone, and after the connector runs with its new config
--    why: nobody fills it any more
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'aggregatetype') = 1 then
        alter table "public"."outbox" alter column "aggregatetype" drop not null;
    end if;
    if pg_temp.columns_of('"public"."outbox"', 'aggregateid') = 1 then
        alter table "public"."outbox" alter column "aggregateid" drop not null;
    end if;
    if pg_temp.columns_of('"public"."outbox"', 'type') = 1 then
        alter table "public"."outbox" alter column "type" drop not null;
    end if;
    if pg_temp.columns_of('"public"."outbox"', 'payload') = 1 then
        alter table "public"."outbox" alter column "payload" drop not null;
    end if;
    if pg_temp.columns_of('"public"."outbox"', 'created_at') = 1 then
        alter table "public"."outbox" alter column "created_at" drop not null;
    end if;
    if pg_temp.columns_of('"public"."outbox"', 'tenant') = 1 then
        alter table "public"."outbox" alter column "tenant" drop not null;
    end if;
end
$block$;

-- 9. take the trigger away
--    when: after the last old writer is gone, and after the connector runs with its new config
drop trigger if exists "outbox_mirror" on "public"."outbox";
drop function if exists "public"."outbox_mirror"();

-- 10. drop 'aggregatetype', 'aggregateid', 'type', 'payload', 'tenant', 'created_at'
--    when: after the last old writer is gone, and after the connector runs with its new config
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- alter table "public"."outbox" drop column if exists "aggregatetype";
-- alter table "public"."outbox" drop column if exists "aggregateid";
-- alter table "public"."outbox" drop column if exists "type";
-- alter table "public"."outbox" drop column if exists "payload";
-- alter table "public"."outbox" drop column if exists "tenant";
-- alter table "public"."outbox" drop column if exists "created_at";
