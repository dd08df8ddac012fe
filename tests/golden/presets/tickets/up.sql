-- The outbox of 'tickets', written by outbox-kit 0.1.0 from its schema file.
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
    execute immediate 'create user "TICKETS_OUTBOX" no authentication';
exception
    when there then null;
end;
/
-- It may read the log and the catalogue; of the data, what part 2 grants and nothing else.
grant create session, logmining, select_catalog_role, execute_catalog_role to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$DATABASE" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$LOG" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$LOG_HISTORY" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$LOGFILE" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$LOGMNR_LOGS" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$LOGMNR_CONTENTS" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$LOGMNR_PARAMETERS" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$ARCHIVED_LOG" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$ARCHIVE_DEST_STATUS" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$TRANSACTION" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$MYSTAT" to "TICKETS_OUTBOX"
/
grant select on "SYS"."V_$STATNAME" to "TICKETS_OUTBOX"
/
-- It makes a table of one row of its own, LOG_MINING_FLUSH, by which it has the server write its log out.
grant create table to "TICKETS_OUTBOX"
/
declare
    held varchar2(128);
begin
    select default_tablespace into held from dba_users where username = 'TICKETS_OUTBOX';
    execute immediate 'alter user "TICKETS_OUTBOX" quota 16M on ' || dbms_assert.enquote_name(held, false);
end;
/

-- Part 2 of 2, for an administrator or the tables' owner: the tables, and what the
-- connector's user may do with them.
alter session set ddl_lock_timeout = 10
/

-- The outbox. Append only: the connector publishes inserts and nothing else. An empty text is a NULL here.
-- The payload is a CLOB, because a VARCHAR2 ends at 4000 bytes: the connector puts LOBs together (lob.enabled), which
-- takes memory and time. A table.max_payload_bytes of no more than 4000 spares it that.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create table "SHOP"."OUTBOX" (
    "ID" varchar2(36 char) not null,
    "AGGREGATETYPE" varchar2(255 char) not null,
    "AGGREGATEID" varchar2(255 char) not null,
    "TYPE" varchar2(255 char) not null,
    "PAYLOAD" clob not null,
    "SEQUENCE" number(18) generated always as identity (order) not null,
    "TENANT" varchar2(255 char) not null,
    "CREATED_AT" timestamp(6) default sys_extract_utc(systimestamp) not null,
    constraint "OUTBOX_PK" primary key ("ID")
)';
exception
    when there then null;
end;
/
comment on table "SHOP"."OUTBOX" is 'The outbox: a row is an event. Append only.'
/
comment on column "SHOP"."OUTBOX"."ID" is 'the event''s id: header id, what consumers deduplicate by'
/
comment on column "SHOP"."OUTBOX"."AGGREGATETYPE" is 'what changed'
/
comment on column "SHOP"."OUTBOX"."AGGREGATEID" is 'which one changed: the message key'
/
comment on column "SHOP"."OUTBOX"."TYPE" is 'what happened: header eventType'
/
comment on column "SHOP"."OUTBOX"."PAYLOAD" is 'the event; kept byte for byte'
/
comment on column "SHOP"."OUTBOX"."SEQUENCE" is 'grows with every event: header sequence'
/
comment on column "SHOP"."OUTBOX"."TENANT" is 'header tenant'
/
comment on column "SHOP"."OUTBOX"."CREATED_AT" is 'for retention; not read by the router'
/
-- Finds the rows that are old enough to go.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create index "SHOP"."OUTBOX_AGE" on "SHOP"."OUTBOX" ("CREATED_AT")';
exception
    when there then null;
end;
/
-- The log has whole rows, so that LogMiner can tell what every column held.
declare
    there exception;
    pragma exception_init(there, -32588);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- a misspelt event would go to a topic that nobody reads
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_EVENT_IS_DECLARED_D23AEC" check (("AGGREGATETYPE", "TYPE") in ((''Ticket'', ''TicketOpened''),
    (''outbox-kit.canary'', ''Canary'')))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_EVENT_IS_DECLARED'
            and constraint_name <> 'OUTBOX_EVENT_IS_DECLARED_D23AEC'
    ) loop
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- a message that the broker refuses as too large stops the connector; an empty one says nothing; counted in characters, because nothing counts a CLOB's bytes
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_PAYLOAD_FITS_B07589" check (length("PAYLOAD") between 1 and 900000)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PAYLOAD_FITS'
            and constraint_name <> 'OUTBOX_PAYLOAD_FITS_B07589'
    ) loop
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- lower case, so that one id is one text wherever it is compared
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_ID_IS_A_UUID_3E2BD8" check (regexp_like("ID", ''^[0123456789abcdef]{8}(-[0123456789abcdef]{4}){3}-[0123456789abcdef]{12}$'', ''c''))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_ID_IS_A_UUID'
            and constraint_name <> 'OUTBOX_ID_IS_A_UUID_3E2BD8'
    ) loop
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- consumers read it as what the contract says
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_PAYLOAD_IS_JSON_385352" check ("PAYLOAD" is json strict)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PAYLOAD_IS_JSON'
            and constraint_name <> 'OUTBOX_PAYLOAD_IS_JSON_385352'
    ) loop
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint '
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
    execute immediate 'create table "SHOP"."OUTBOX_HEARTBEAT" (
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
    execute immediate 'alter table "SHOP"."OUTBOX_HEARTBEAT" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- The connector reads these two tables, as they were at one moment (flashback), and beats.
grant select, flashback on "SHOP"."OUTBOX" to "TICKETS_OUTBOX"
/
grant select, flashback, insert, update on "SHOP"."OUTBOX_HEARTBEAT" to "TICKETS_OUTBOX"
/

-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.

-- The feed: a new row of "DESK"."TICKET_LOG" becomes an event for each element of CHANGES.
-- It is a trigger that writes, because a view has no log that could be captured, and a virtual column is not in it. It works
-- in the owner's transaction: what breaks a rule of the outbox takes the owner's row with it. What is no event of the
-- schema file is passed over. SQL*Loader's direct path fires no trigger.
-- One that cannot be compiled would refuse the owner every row: another one, which is not switched on, tells beforehand.
create or replace trigger "SHOP"."OUTBOX_TRY" after insert on "DESK"."TICKET_LOG" for each row disable
begin
    for event in (
        select * from (
            select
                lower(regexp_replace(rawtohex(standard_hash(sys_guid(), 'MD5')), '(.{8})(.{4})(.{4})(.{4})', '\1-\2-\3-\4-')) as "ID",
                ('Ticket') as "AGGREGATETYPE",
                (to_char(:new.ticket)) as "AGGREGATEID",
                (json_value(item, '$.what')) as "TYPE",
                (item) as "PAYLOAD",
                (:new.tenant) as "TENANT",
                place
            from json_table(:new."CHANGES", '$[*]' error on error
                columns (place for ordinality, item clob format json path '$'))
        )
        where ("AGGREGATETYPE", "TYPE") in (('Ticket', 'TicketOpened')) order by place
    ) loop
        insert into "SHOP"."OUTBOX" ("ID", "AGGREGATETYPE", "AGGREGATEID", "TYPE", "PAYLOAD", "TENANT")
        values (event."ID", event."AGGREGATETYPE", event."AGGREGATEID", event."TYPE", event."PAYLOAD", event."TENANT");
    end loop;
end;
/
declare
    said varchar2(2000);
begin
    select substr(max(text), 1, 1900) into said from all_errors
    where owner = 'SHOP' and name = 'OUTBOX_TRY' and type = 'TRIGGER' and attribute = 'ERROR';
    execute immediate 'drop trigger "SHOP"."OUTBOX_TRY"';
    if said is not null then
        raise_application_error(-20000, 'the feed cannot be compiled, and was not changed: ' || said);
    end if;
end;
/
create or replace trigger "SHOP"."OUTBOX_FEED" after insert on "DESK"."TICKET_LOG" for each row
begin
    for event in (
        select * from (
            select
                lower(regexp_replace(rawtohex(standard_hash(sys_guid(), 'MD5')), '(.{8})(.{4})(.{4})(.{4})', '\1-\2-\3-\4-')) as "ID",
                ('Ticket') as "AGGREGATETYPE",
                (to_char(:new.ticket)) as "AGGREGATEID",
                (json_value(item, '$.what')) as "TYPE",
                (item) as "PAYLOAD",
                (:new.tenant) as "TENANT",
                place
            from json_table(:new."CHANGES", '$[*]' error on error
                columns (place for ordinality, item clob format json path '$'))
        )
        where ("AGGREGATETYPE", "TYPE") in (('Ticket', 'TicketOpened')) order by place
    ) loop
        insert into "SHOP"."OUTBOX" ("ID", "AGGREGATETYPE", "AGGREGATEID", "TYPE", "PAYLOAD", "TENANT")
        values (event."ID", event."AGGREGATETYPE", event."AGGREGATEID", event."TYPE", event."PAYLOAD", event."TENANT");
    end loop;
end;
/
