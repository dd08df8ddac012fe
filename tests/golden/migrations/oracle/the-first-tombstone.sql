-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

set define off
whenever sqlerror exit failure
-- For an administrator or the tables' owner, but neither SYS nor SYSTEM: the connector passes over their DDL, and goes on
-- with the table as it was. It reads a row by what its table is when it reads it, not by what it was when the row was
-- written (log.mining.strategy: online_catalog). A row from before a change of columns ends its task, and one of a table
-- that has another name since is passed over without a word: the steps that do this say when they are safe.
-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
alter session set ddl_lock_timeout = 10
/

-- EXPAND: before the new code is deployed; the old code does not notice

-- 1. let 'PAYLOAD' be null
--    when: before the new code is deployed; while nobody writes, and after the connector has passed the last row
--          (outbox-kit status)
--    why: code that leaves it out must not fail
declare
    found number;
begin
    select count(*) into found from all_tab_columns where owner = 'SHOP' and table_name = 'OUTBOX'
        and column_name = 'PAYLOAD' and nullable = 'N';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("PAYLOAD" null)';
    end if;
end;
/

-- 2. let the CHECKs pass what both may write
--    when: before the new code is deployed
--    why: rows that only the new code writes must not be refused

-- a misspelt event would go to a topic that nobody reads; rows that are there are looked at last, while writers go on
declare
    there exception;
    pragma exception_init(there, -2264);
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_EVENT_IS_DECLARED_7633A4';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_EVENT_IS_DECLARED_A9E3F3" check (("AGGREGATETYPE", "TYPE") in ((''Order'', ''A''),
    (''Order'', ''Gone''),
    (''outbox-kit.canary'', ''Canary''))) enable novalidate';
    end if;
exception
    when there then null;
end;
/
declare
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_EVENT_IS_DECLARED_7633A4';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint "OUTBOX_EVENT_IS_DECLARED_7633A4"';
    end if;
end;
/
declare
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_EVENT_IS_DECLARED_A9E3F3' and validated = 'NOT VALIDATED';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify constraint "OUTBOX_EVENT_IS_DECLARED_A9E3F3" validate';
    end if;
end;
/

-- MIGRATE: while both may write

-- 3. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ transforms.outbox.route.tombstone.on.empty.payload = false -> true [wire]

-- CONTRACT: when nobody needs the old any more

-- 4. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then

-- only the events declared as tombstones have no payload; rows that are there are looked at last, while writers go on
declare
    there exception;
    pragma exception_init(there, -2264);
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE';
    if found = 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE_AB5926" check (case when "PAYLOAD" is null then 1 else 0 end = case when "TYPE" in (''Gone'') then 1 else 0 end) enable novalidate';
    end if;
exception
    when there then null;
end;
/
declare
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE_AB5926' and validated = 'NOT VALIDATED';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify constraint "OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE_AB5926" validate';
    end if;
end;
/
