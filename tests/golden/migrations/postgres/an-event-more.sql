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

-- 1. let the CHECKs pass what both may write
--    when: before the new code is deployed
--    why: rows that only the new code writes must not be refused
-- a misspelt event would go to a topic that nobody reads
call pg_temp.exchange_check('"public"."outbox"', 'outbox_event_is_declared',
'("aggregatetype", "type") in ((''Order'', ''A''), (''outbox-kit.canary'', ''Canary''))',
'("aggregatetype", "type") in ((''Order'', ''A''), (''Order'', ''It''''s B''), (''outbox-kit.canary'', ''Canary''))');
call pg_temp.validate_check('"public"."outbox"', 'outbox_event_is_declared');
