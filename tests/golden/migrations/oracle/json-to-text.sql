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

-- 1. let the CHECKs pass what both may write
--    when: before the new code is deployed
--    why: rows that only the new code writes must not be refused

declare
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_PAYLOAD_IS_JSON_385352';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint "OUTBOX_PAYLOAD_IS_JSON_385352"';
    end if;
end;
/
