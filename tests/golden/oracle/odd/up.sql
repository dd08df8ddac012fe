-- The outbox of 'odd', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.
set define off
whenever sqlerror exit failure

-- Part 1 of 2, for an administrator: the log, and the connector's user.
-- The database must be in ARCHIVELOG mode (select log_mode from v$database), and keep its archived logs for longer than
-- any outage of the connector. DDL cannot be rolled back here: each statement stands alone, and can be run again.
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
--   alter user ... identified by ...
declare
    there exception;
    pragma exception_init(there, -1920);
begin
    execute immediate 'create user "ODD_CDC" no authentication';
exception
    when there then null;
end;
/
-- It may read the log and the catalogue; of the data, what part 2 grants and nothing else.
grant create session, logmining, select_catalog_role, execute_catalog_role to "ODD_CDC"
/
grant select on "SYS"."V_$DATABASE" to "ODD_CDC"
/
grant select on "SYS"."V_$LOG" to "ODD_CDC"
/
grant select on "SYS"."V_$LOG_HISTORY" to "ODD_CDC"
/
grant select on "SYS"."V_$LOGFILE" to "ODD_CDC"
/
grant select on "SYS"."V_$LOGMNR_LOGS" to "ODD_CDC"
/
grant select on "SYS"."V_$LOGMNR_CONTENTS" to "ODD_CDC"
/
grant select on "SYS"."V_$LOGMNR_PARAMETERS" to "ODD_CDC"
/
grant select on "SYS"."V_$ARCHIVED_LOG" to "ODD_CDC"
/
grant select on "SYS"."V_$ARCHIVE_DEST_STATUS" to "ODD_CDC"
/
grant select on "SYS"."V_$TRANSACTION" to "ODD_CDC"
/
grant select on "SYS"."V_$MYSTAT" to "ODD_CDC"
/
grant select on "SYS"."V_$STATNAME" to "ODD_CDC"
/
-- It makes a table of one row of its own, LOG_MINING_FLUSH, by which it has the server write its log out.
grant create table to "ODD_CDC"
/
declare
    held varchar2(128);
begin
    select default_tablespace into held from dba_users where username = 'ODD_CDC';
    execute immediate 'alter user "ODD_CDC" quota 16M on ' || dbms_assert.enquote_name(held, false);
end;
/

-- Part 2 of 2, for an administrator or the tables' owner: the tables, and what the
-- connector's user may do with them.
alter session set ddl_lock_timeout = 10
/

-- The outbox. Append only: the connector publishes inserts and nothing else. An empty text is a NULL here.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create table "Odd Shop"."Select#1" (
    "ORDER" varchar2(36 char) not null,
    "GROUP" varchar2(255 char) not null,
    "USER" varchar2(255 char) not null,
    "TABLE" varchar2(255 char) not null,
    "Where" blob not null,
    "VERSION" number(18) not null,
    "DESTINATION" varchar2(255 char) not null,
    "SLOT" number(9) not null,
    "At" timestamp(6) default sys_extract_utc(systimestamp) not null,
    constraint "Select#1_PK" primary key ("ORDER")
)
partition by range ("At") interval (numtodsinterval(1, ''DAY''))
(partition "Select#1_BEFORE" values less than (timestamp ''2000-01-01 00:00:00''))';
exception
    when there then null;
end;
/
comment on table "Odd Shop"."Select#1" is 'The outbox: a row is an event. Append only.'
/
comment on column "Odd Shop"."Select#1"."ORDER" is 'the event''s id: header id, what consumers deduplicate by: the message key'
/
comment on column "Odd Shop"."Select#1"."GROUP" is 'what changed'
/
comment on column "Odd Shop"."Select#1"."USER" is 'which one changed'
/
comment on column "Odd Shop"."Select#1"."TABLE" is 'what happened: header eventType'
/
comment on column "Odd Shop"."Select#1"."Where" is 'the event, serialised'
/
comment on column "Odd Shop"."Select#1"."VERSION" is 'the aggregate''s version: 1, 2, 3: header sequence'
/
comment on column "Odd Shop"."Select#1"."DESTINATION" is 'header destination'
/
comment on column "Odd Shop"."Select#1"."SLOT" is 'partition'
/
comment on column "Odd Shop"."Select#1"."At" is 'for retention; not read by the router'
/
-- One version of an aggregate is one event: two writers with the same version cannot both commit.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create unique index "Odd Shop"."Select#1_VERSION" on "Odd Shop"."Select#1" ("GROUP", "USER", "VERSION")';
exception
    when there then null;
end;
/
-- The log has whole rows, so that LogMiner can tell what every column held.
declare
    there exception;
    pragma exception_init(there, -32588);
begin
    execute immediate 'alter table "Odd Shop"."Select#1" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- a misspelt event would go to a topic that nobody reads
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "Odd Shop"."Select#1" add constraint "Select#1_EVENT_IS_DECLARED_0A5F0C" check (("GROUP", "TABLE") in ((''Order'', ''It''''s \ placed''),
    (''outbox-kit.canary'', ''Canary'')))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'Odd Shop' and table_name = 'Select#1' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'Select#1_EVENT_IS_DECLARED'
            and constraint_name <> 'Select#1_EVENT_IS_DECLARED_0A5F0C'
    ) loop
        execute immediate 'alter table "Odd Shop"."Select#1" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- the router puts the value into the topic's name unchecked, and the task dies of a bad one
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "Odd Shop"."Select#1" add constraint "Select#1_ROUTE_IS_TOPIC_SAFE_582666" check (length("DESTINATION") <= 200 and translate("DESTINATION", '' ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-'', '' '') is null)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'Odd Shop' and table_name = 'Select#1' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'Select#1_ROUTE_IS_TOPIC_SAFE'
            and constraint_name <> 'Select#1_ROUTE_IS_TOPIC_SAFE_582666'
    ) loop
        execute immediate 'alter table "Odd Shop"."Select#1" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "Odd Shop"."Select#1" add constraint "Select#1_PAYLOAD_FITS_3F6FBF" check (length("Where") between 1 and 900000)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'Odd Shop' and table_name = 'Select#1' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'Select#1_PAYLOAD_FITS'
            and constraint_name <> 'Select#1_PAYLOAD_FITS_3F6FBF'
    ) loop
        execute immediate 'alter table "Odd Shop"."Select#1" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- lower case, so that one id is one text wherever it is compared
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "Odd Shop"."Select#1" add constraint "Select#1_ID_IS_A_UUID_0F510F" check (regexp_like("ORDER", ''^[0123456789abcdef]{8}(-[0123456789abcdef]{4}){3}-[0123456789abcdef]{12}$'', ''c''))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'Odd Shop' and table_name = 'Select#1' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'Select#1_ID_IS_A_UUID'
            and constraint_name <> 'Select#1_ID_IS_A_UUID_0F510F'
    ) loop
        execute immediate 'alter table "Odd Shop"."Select#1" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- the producer refuses a partition that the topic does not have
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "Odd Shop"."Select#1" add constraint "Select#1_PARTITION_EXISTS_A09DEA" check ("SLOT" between 0 and 5)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'Odd Shop' and table_name = 'Select#1' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'Select#1_PARTITION_EXISTS'
            and constraint_name <> 'Select#1_PARTITION_EXISTS_A09DEA'
    ) loop
        execute immediate 'alter table "Odd Shop"."Select#1" drop constraint '
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
    execute immediate 'create table "Odd Shop"."Select#1_HEARTBEAT" (
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
    execute immediate 'alter table "Odd Shop"."Select#1_HEARTBEAT" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- The connector reads these two tables, as they were at one moment (flashback), and beats.
grant select, flashback on "Odd Shop"."Select#1" to "ODD_CDC"
/
grant select, flashback, insert, update on "Odd Shop"."Select#1_HEARTBEAT" to "ODD_CDC"
/

-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.
