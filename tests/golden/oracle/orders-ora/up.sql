-- The outbox of 'orders-ora', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.
set define off
whenever sqlerror exit failure

-- Part 1 of 2, for an administrator, in the container's root: the log, and the connector's user.
-- The database must be in ARCHIVELOG mode (select log_mode from v$database), and keep its archived logs for longer than
-- any outage of the connector. DDL cannot be rolled back here: each statement stands alone, and can be run again.
alter session set container = CDB$ROOT
/
-- A lock that is not to be had must not make the application queue up behind us.
alter session set ddl_lock_timeout = 10
/
-- The log must say more than the server itself needs: without this LogMiner cannot tell which row was changed.
declare
    held varchar2(8);
begin
    select supplemental_log_data_min into held from v$database;
    if held = 'NO' then
        execute immediate 'alter database add supplemental log data';
    end if;
end;
/
-- The user has no password, and cannot log in until it gets one, apart from this script:
--   alter user ... identified by ... container=all
declare
    there exception;
    pragma exception_init(there, -1920);
begin
    execute immediate 'create user "C##ORDERS_ORA_OUTBOX" no authentication container=all';
exception
    when there then null;
end;
/
-- It may read the log and the catalogue; of the data, what part 2 grants and nothing else.
grant create session, set container, logmining, select_catalog_role, execute_catalog_role to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$DATABASE" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$LOG" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$LOG_HISTORY" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGFILE" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGMNR_LOGS" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGMNR_CONTENTS" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGMNR_PARAMETERS" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$ARCHIVED_LOG" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$ARCHIVE_DEST_STATUS" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$TRANSACTION" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$MYSTAT" to "C##ORDERS_ORA_OUTBOX" container=all
/
grant select on "SYS"."V_$STATNAME" to "C##ORDERS_ORA_OUTBOX" container=all
/
-- It makes a table of one row of its own, LOG_MINING_FLUSH, by which it has the server write its log out.
grant create table to "C##ORDERS_ORA_OUTBOX" container=all
/
declare
    held varchar2(128);
begin
    select default_tablespace into held from dba_users where username = 'C##ORDERS_ORA_OUTBOX';
    execute immediate 'alter user "C##ORDERS_ORA_OUTBOX" quota 16M on ' || dbms_assert.enquote_name(held, false) || ' container=current';
end;
/

-- Part 2 of 2, for an administrator or the tables' owner, in the pluggable database: the tables, and what the
-- connector's user may do with them.
alter session set container = "ORCLPDB1"
/
alter session set ddl_lock_timeout = 10
/

-- The outbox. Append only: the connector publishes inserts and nothing else. An empty text is a NULL here.
-- The payload is a CLOB, because a VARCHAR2 ends at 4000 bytes: the connector puts LOBs together (lob.enabled), which
-- takes memory and time. A table.max_payload_bytes of no more than 4000 spares it that.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create table "ORDERS"."OUTBOX" (
    "ID" varchar2(36 char) not null,
    "AGGREGATETYPE" varchar2(255 char) not null,
    "AGGREGATEID" varchar2(255 char) not null,
    "TYPE" varchar2(255 char) not null,
    "PAYLOAD" clob,
    "SEQUENCE" number(18) generated always as identity (order) not null,
    "TENANT" varchar2(255 char) not null,
    "REGION" varchar2(255 char) not null,
    "URGENT" number(1) not null,
    "CREATED_AT" timestamp(6) default sys_extract_utc(systimestamp) not null,
    constraint "OUTBOX_PK" primary key ("ID")
)';
exception
    when there then null;
end;
/
comment on table "ORDERS"."OUTBOX" is 'The outbox: a row is an event. Append only.'
/
comment on column "ORDERS"."OUTBOX"."ID" is 'the event''s id: header id, what consumers deduplicate by'
/
comment on column "ORDERS"."OUTBOX"."AGGREGATETYPE" is 'what changed'
/
comment on column "ORDERS"."OUTBOX"."AGGREGATEID" is 'which one changed: the message key'
/
comment on column "ORDERS"."OUTBOX"."TYPE" is 'what happened: header eventType'
/
comment on column "ORDERS"."OUTBOX"."PAYLOAD" is 'the event; kept byte for byte'
/
comment on column "ORDERS"."OUTBOX"."SEQUENCE" is 'grows with every event: header sequence'
/
comment on column "ORDERS"."OUTBOX"."TENANT" is 'header tenantId'
/
comment on column "ORDERS"."OUTBOX"."REGION" is 'header region'
/
comment on column "ORDERS"."OUTBOX"."URGENT" is 'header urgent'
/
comment on column "ORDERS"."OUTBOX"."CREATED_AT" is 'for retention; not read by the router'
/
-- Finds the rows that are old enough to go.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create index "ORDERS"."OUTBOX_AGE" on "ORDERS"."OUTBOX" ("CREATED_AT")';
exception
    when there then null;
end;
/
-- The log has whole rows, so that LogMiner can tell what every column held.
declare
    there exception;
    pragma exception_init(there, -32588);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- a misspelt event would go to a topic that nobody reads
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_EVENT_IS_DECLARED_791B05" check (("AGGREGATETYPE", "TYPE") in ((''Order'', ''OrderDeleted''),
    (''Order'', ''OrderPlaced''),
    (''outbox-kit.canary'', ''Canary'')))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_EVENT_IS_DECLARED'
            and constraint_name <> 'OUTBOX_EVENT_IS_DECLARED_791B05'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- the router puts the value into the topic's name unchecked, and the task dies of a bad one
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_ROUTE_IS_TOPIC_SAFE_8BD5CF" check (length("REGION") <= 200 and translate("REGION", '' ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-'', '' '') is null)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_ROUTE_IS_TOPIC_SAFE'
            and constraint_name <> 'OUTBOX_ROUTE_IS_TOPIC_SAFE_8BD5CF'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- a message that the broker refuses as too large stops the connector; an empty one says nothing; counted in characters, because nothing counts a CLOB's bytes
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_PAYLOAD_FITS_B07589" check (length("PAYLOAD") between 1 and 900000)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PAYLOAD_FITS'
            and constraint_name <> 'OUTBOX_PAYLOAD_FITS_B07589'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- lower case, so that one id is one text wherever it is compared
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_ID_IS_A_UUID_3E2BD8" check (regexp_like("ID", ''^[0123456789abcdef]{8}(-[0123456789abcdef]{4}){3}-[0123456789abcdef]{12}$'', ''c''))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_ID_IS_A_UUID'
            and constraint_name <> 'OUTBOX_ID_IS_A_UUID_3E2BD8'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- consumers read it as what the contract says
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_PAYLOAD_IS_JSON_385352" check ("PAYLOAD" is json strict)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PAYLOAD_IS_JSON'
            and constraint_name <> 'OUTBOX_PAYLOAD_IS_JSON_385352'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- the connector makes false of any other number
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_URGENT_IS_BOOLEAN_C77A4F" check ("URGENT" in (0, 1))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_URGENT_IS_BOOLEAN'
            and constraint_name <> 'OUTBOX_URGENT_IS_BOOLEAN_C77A4F'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- only the events declared as tombstones have no payload
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX" add constraint "OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE_A21CAD" check (case when "PAYLOAD" is null then 1 else 0 end = case when "TYPE" in (''OrderDeleted'') then 1 else 0 end)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'ORDERS' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE'
            and constraint_name <> 'OUTBOX_NULL_PAYLOAD_IS_A_TOMBSTONE_A21CAD'
    ) loop
        execute immediate 'alter table "ORDERS"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within the logs that the server keeps.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create table "ORDERS"."OUTBOX_HEARTBEAT" (
    "ID" number(9) primary key,
    "BEAT_AT" timestamp(6) default sys_extract_utc(systimestamp) not null
)';
exception
    when there then null;
end;
/
declare
    there exception;
    pragma exception_init(there, -32588);
begin
    execute immediate 'alter table "ORDERS"."OUTBOX_HEARTBEAT" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- The connector reads these two tables, as they were at one moment (flashback), and beats.
grant select, flashback on "ORDERS"."OUTBOX" to "C##ORDERS_ORA_OUTBOX"
/
grant select, flashback, insert, update on "ORDERS"."OUTBOX_HEARTBEAT" to "C##ORDERS_ORA_OUTBOX"
/

-- The application: it may add events, and no more.
grant insert on "ORDERS"."OUTBOX" to "SHOP"
/
grant insert on "ORDERS"."OUTBOX" to "Other App"
/
