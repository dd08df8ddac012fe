-- The outbox of 'publishing', written by outbox-kit 0.1.0 from its schema file.
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
    execute immediate 'create user "C##PUBLISHING_OUTBOX" no authentication container=all';
exception
    when there then null;
end;
/
-- It may read the log and the catalogue; of the data, what part 2 grants and nothing else.
grant create session, set container, logmining, select_catalog_role, execute_catalog_role to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$DATABASE" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$LOG" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$LOG_HISTORY" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGFILE" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGMNR_LOGS" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGMNR_CONTENTS" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$LOGMNR_PARAMETERS" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$ARCHIVED_LOG" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$ARCHIVE_DEST_STATUS" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$TRANSACTION" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$MYSTAT" to "C##PUBLISHING_OUTBOX" container=all
/
grant select on "SYS"."V_$STATNAME" to "C##PUBLISHING_OUTBOX" container=all
/
-- It makes a table of one row of its own, LOG_MINING_FLUSH, by which it has the server write its log out.
grant create table to "C##PUBLISHING_OUTBOX" container=all
/
declare
    held varchar2(128);
begin
    select default_tablespace into held from dba_users where username = 'C##PUBLISHING_OUTBOX';
    execute immediate 'alter user "C##PUBLISHING_OUTBOX" quota 16M on ' || dbms_assert.enquote_name(held, false) || ' container=current';
end;
/

-- Part 2 of 2, for an administrator or the tables' owner, in the pluggable database: the tables, and what the
-- connector's user may do with them.
alter session set container = "ORCLPDB1"
/
alter session set ddl_lock_timeout = 10
/

-- The table "SHOP"."EVENT_PUBLICATION" is its owner's: nothing here makes, changes or drops it.
-- Its owner goes on to UPDATE and DELETE rows as ever. An INSERT is an event, and nothing else is: the connector passes
-- over the rest, so that a publisher may work beside it for as long as it is needed.
-- A virtual column is not in the log: the router would miss it, and stop the task.
declare
    unlogged varchar2(4000);
begin
    select listagg(column_name, ', ') within group (order by column_name) into unlogged from all_tab_cols
    where owner = 'SHOP' and table_name = 'EVENT_PUBLICATION' and virtual_column = 'YES'
        and column_name in ('ID', 'EVENT_TYPE', 'SERIALIZED_EVENT', 'LISTENER_ID', 'PUBLICATION_DATE');
    if unlogged is not null then
        raise_application_error(-20000, 'virtual columns are not in the log; feed a table of its own: ' || unlogged);
    end if;
end;
/
-- The log has whole rows, so that LogMiner can tell what every column held. It is all that the owner's table sees of this,
-- and it stays when the rest is removed: nobody knows who else needs it by then.
declare
    there exception;
    pragma exception_init(there, -32588);
begin
    execute immediate 'alter table "SHOP"."EVENT_PUBLICATION" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within the logs that the server keeps.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create table "SHOP"."EVENT_PUBLICATION_HEARTBEAT" (
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
    execute immediate 'alter table "SHOP"."EVENT_PUBLICATION_HEARTBEAT" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- The connector reads these two tables, as they were at one moment (flashback), and beats.
grant select, flashback on "SHOP"."EVENT_PUBLICATION" to "C##PUBLISHING_OUTBOX"
/
grant select, flashback, insert, update on "SHOP"."EVENT_PUBLICATION_HEARTBEAT" to "C##PUBLISHING_OUTBOX"
/

-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.
