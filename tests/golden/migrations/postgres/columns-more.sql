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

-- 1. add 't', 'n', 'f', 'u', 'p', 'maybe'
--    when: before the new code is deployed
--    why: nullable, so that no row is rewritten and the code that does not know them can go on
alter table "public"."outbox"
    add column if not exists "t" text,
    add column if not exists "n" bigint,
    add column if not exists "f" boolean,
    add column if not exists "u" uuid,
    add column if not exists "p" integer,
    add column if not exists "maybe" text;
comment on column "public"."outbox"."t" is 'header t';
comment on column "public"."outbox"."n" is 'header n';
comment on column "public"."outbox"."f" is 'header f';
comment on column "public"."outbox"."u" is 'header u';
comment on column "public"."outbox"."p" is 'partition';
comment on column "public"."outbox"."maybe" is 'header maybe';

-- MIGRATE: while both may write

-- 2. fill 't', 'n', 'f', 'u', 'p'
--    when: after the last old writer is gone; before that where it is only a new name
--    why: rows from before have nothing there; put in what you know better than this script does
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 't') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "t" = ''
        where "t" is null and ctid = any (array(
            select ctid from "public"."outbox" where "t" is null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'n') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "n" = '0'
        where "n" is null and ctid = any (array(
            select ctid from "public"."outbox" where "n" is null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'f') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "f" = false
        where "f" is null and ctid = any (array(
            select ctid from "public"."outbox" where "f" is null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'u') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "u" = '00000000-0000-0000-0000-000000000000'
        where "u" is null and ctid = any (array(
            select ctid from "public"."outbox" where "u" is null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;
do $block$
begin
    if pg_temp.columns_of('"public"."outbox"', 'p') = 0 then
        return; -- its source is gone: this has been run before
    end if;
    loop
        update "public"."outbox" set "p" = '0'
        where "p" is null and ctid = any (array(
            select ctid from "public"."outbox" where "p" is null limit 5000));
        exit when not found;
        commit;
    end loop;
end
$block$;

-- 3. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence -> type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,t:header:t,n:header:n,f:header:f,u:header:u,p:partition,maybe:header:maybe [wire]

-- CONTRACT: when nobody needs the old any more

-- 4. require 't', 'n', 'f', 'u', 'p'
--    when: after the last old writer is gone
--    why: no row may lack it any more; those that do must be filled, or gone, before
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"t" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "t" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"n" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "n" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"f" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "f" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"u" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "u" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;
call pg_temp.exchange_check('"public"."outbox"', 'outbox_kit_required', null, '"p" is not null');
call pg_temp.validate_check('"public"."outbox"', 'outbox_kit_required');
alter table "public"."outbox" alter column "p" set not null;
alter table "public"."outbox" drop constraint if exists outbox_kit_required;

-- 5. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then
-- the producer refuses a partition that the topic does not have
call pg_temp.exchange_check('"public"."outbox"', 'outbox_partition_exists',
null,
'"p" between 0 and 5');
call pg_temp.validate_check('"public"."outbox"', 'outbox_partition_exists');
