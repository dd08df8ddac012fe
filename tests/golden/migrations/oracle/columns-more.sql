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

-- 1. add 'T', 'N', 'F', 'U', 'P', 'MAYBE'
--    when: before the new code is deployed; while nobody writes, and after the connector has passed the last row
--          (outbox-kit status)
--    why: nullable, so that no row is rewritten and the code that does not know them can go on
-- header t
declare
    there exception;
    pragma exception_init(there, -1430);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add ("T" varchar2(255 char))';
exception
    when there then null;
end;
/
-- header n
declare
    there exception;
    pragma exception_init(there, -1430);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add ("N" number(18))';
exception
    when there then null;
end;
/
-- header f
declare
    there exception;
    pragma exception_init(there, -1430);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add ("F" number(1))';
exception
    when there then null;
end;
/
-- header u
declare
    there exception;
    pragma exception_init(there, -1430);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add ("U" varchar2(36 char))';
exception
    when there then null;
end;
/
-- partition
declare
    there exception;
    pragma exception_init(there, -1430);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add ("P" number(9))';
exception
    when there then null;
end;
/
-- header maybe
declare
    there exception;
    pragma exception_init(there, -1430);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add ("MAYBE" varchar2(255 char))';
exception
    when there then null;
end;
/

-- MIGRATE: while both may write

-- 2. fill 'T', 'N', 'F', 'U', 'P'
--    when: after the last old writer is gone; before that where it is only a new name
--    why: rows from before have nothing there; put in what you know better than this script does
-- The connector passes over each changed row with a warning.
begin
    loop
        execute immediate 'update "SHOP"."OUTBOX" set "T" = '' '' where "T" is null and rownum <= 5000';
        exit when sql%rowcount = 0;
        commit;
    end loop;
end;
/
begin
    loop
        execute immediate 'update "SHOP"."OUTBOX" set "N" = 0 where "N" is null and rownum <= 5000';
        exit when sql%rowcount = 0;
        commit;
    end loop;
end;
/
begin
    loop
        execute immediate 'update "SHOP"."OUTBOX" set "F" = 0 where "F" is null and rownum <= 5000';
        exit when sql%rowcount = 0;
        commit;
    end loop;
end;
/
begin
    loop
        execute immediate 'update "SHOP"."OUTBOX" set "U" = ''00000000-0000-0000-0000-000000000000'' where "U" is null and rownum <= 5000';
        exit when sql%rowcount = 0;
        commit;
    end loop;
end;
/
begin
    loop
        execute immediate 'update "SHOP"."OUTBOX" set "P" = 0 where "P" is null and rownum <= 5000';
        exit when sql%rowcount = 0;
        commit;
    end loop;
end;
/

-- 3. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ transforms.outbox.table.fields.additional.placement = TYPE:header:eventType,AGGREGATETYPE:header:aggregateType,SEQUENCE:header:sequence -> TYPE:header:eventType,AGGREGATETYPE:header:aggregateType,SEQUENCE:header:sequence,T:header:t,N:header:n,F:header:f,U:header:u,P:partition,MAYBE:header:maybe [wire]

-- CONTRACT: when nobody needs the old any more

-- 4. require 'T', 'N', 'F', 'U', 'P'
--    when: after the last old writer is gone; while nobody writes, and after the connector has passed the last row
--          (outbox-kit status)
--    why: no row may lack it any more; those that do must be filled, or gone, before
declare
    found number;
begin
    select count(*) into found from all_tab_columns where owner = 'SHOP' and table_name = 'OUTBOX'
        and column_name = 'T' and nullable = 'Y';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("T" not null)';
    end if;
end;
/
declare
    found number;
begin
    select count(*) into found from all_tab_columns where owner = 'SHOP' and table_name = 'OUTBOX'
        and column_name = 'N' and nullable = 'Y';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("N" not null)';
    end if;
end;
/
declare
    found number;
begin
    select count(*) into found from all_tab_columns where owner = 'SHOP' and table_name = 'OUTBOX'
        and column_name = 'F' and nullable = 'Y';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("F" not null)';
    end if;
end;
/
declare
    found number;
begin
    select count(*) into found from all_tab_columns where owner = 'SHOP' and table_name = 'OUTBOX'
        and column_name = 'U' and nullable = 'Y';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("U" not null)';
    end if;
end;
/
declare
    found number;
begin
    select count(*) into found from all_tab_columns where owner = 'SHOP' and table_name = 'OUTBOX'
        and column_name = 'P' and nullable = 'Y';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("P" not null)';
    end if;
end;
/

-- 5. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then

-- the connector makes false of any other number; rows that are there are looked at last, while writers go on
declare
    there exception;
    pragma exception_init(there, -2264);
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_F_IS_BOOLEAN';
    if found = 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_F_IS_BOOLEAN_4286C8" check ("F" in (0, 1)) enable novalidate';
    end if;
exception
    when there then null;
end;
/
declare
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_F_IS_BOOLEAN_4286C8' and validated = 'NOT VALIDATED';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify constraint "OUTBOX_F_IS_BOOLEAN_4286C8" validate';
    end if;
end;
/

-- the producer refuses a partition that the topic does not have; rows that are there are looked at last, while writers go on
declare
    there exception;
    pragma exception_init(there, -2264);
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PARTITION_EXISTS';
    if found = 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_PARTITION_EXISTS_F48212" check ("P" between 0 and 5) enable novalidate';
    end if;
exception
    when there then null;
end;
/
declare
    found number;
begin
    select count(*) into found from all_constraints where owner = 'SHOP' and table_name = 'OUTBOX'
        and constraint_name = 'OUTBOX_PARTITION_EXISTS_F48212' and validated = 'NOT VALIDATED';
    if found > 0 then
        execute immediate 'alter table "SHOP"."OUTBOX" modify constraint "OUTBOX_PARTITION_EXISTS_F48212" validate';
    end if;
end;
/
