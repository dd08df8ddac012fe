-- The outbox of 'letters', written by outbox-kit 0.1.0 from its schema file.
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
    execute immediate 'create user "LETTERS_OUTBOX" no authentication';
exception
    when there then null;
end;
/
-- It may read the log and the catalogue; of the data, what part 2 grants and nothing else.
grant create session, logmining, select_catalog_role, execute_catalog_role to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$DATABASE" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$LOG" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$LOG_HISTORY" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$LOGFILE" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$LOGMNR_LOGS" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$LOGMNR_CONTENTS" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$LOGMNR_PARAMETERS" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$ARCHIVED_LOG" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$ARCHIVE_DEST_STATUS" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$TRANSACTION" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$MYSTAT" to "LETTERS_OUTBOX"
/
grant select on "SYS"."V_$STATNAME" to "LETTERS_OUTBOX"
/
-- It makes a table of one row of its own, LOG_MINING_FLUSH, by which it has the server write its log out.
grant create table to "LETTERS_OUTBOX"
/
declare
    held varchar2(128);
begin
    select default_tablespace into held from dba_users where username = 'LETTERS_OUTBOX';
    execute immediate 'alter user "LETTERS_OUTBOX" quota 16M on ' || dbms_assert.enquote_name(held, false);
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
    execute immediate 'create table "SHOP"."LETTER_EVENTS" (
    "ID" varchar2(36 char) not null,
    "AGGREGATETYPE" varchar2(255 char) not null,
    "AGGREGATEID" varchar2(255 char) not null,
    "TYPE" varchar2(255 char) not null,
    "PAYLOAD" clob not null,
    "SEQUENCE" number(18) generated always as identity (order) not null,
    "CREATED_AT" timestamp(6) default sys_extract_utc(systimestamp) not null,
    constraint "LETTER_EVENTS_PK" primary key ("ID")
)';
exception
    when there then null;
end;
/
comment on table "SHOP"."LETTER_EVENTS" is 'The outbox: a row is an event. Append only.'
/
comment on column "SHOP"."LETTER_EVENTS"."ID" is 'the event''s id: header id, what consumers deduplicate by'
/
comment on column "SHOP"."LETTER_EVENTS"."AGGREGATETYPE" is 'what changed'
/
comment on column "SHOP"."LETTER_EVENTS"."AGGREGATEID" is 'which one changed: the message key'
/
comment on column "SHOP"."LETTER_EVENTS"."TYPE" is 'what happened: header eventType'
/
comment on column "SHOP"."LETTER_EVENTS"."PAYLOAD" is 'the event; kept byte for byte'
/
comment on column "SHOP"."LETTER_EVENTS"."SEQUENCE" is 'grows with every event: header sequence'
/
comment on column "SHOP"."LETTER_EVENTS"."CREATED_AT" is 'for retention; not read by the router'
/
-- Finds the rows that are old enough to go.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create index "SHOP"."LETTER_EVENTS_AGE" on "SHOP"."LETTER_EVENTS" ("CREATED_AT")';
exception
    when there then null;
end;
/
-- The log has whole rows, so that LogMiner can tell what every column held.
declare
    there exception;
    pragma exception_init(there, -32588);
begin
    execute immediate 'alter table "SHOP"."LETTER_EVENTS" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- a misspelt event would go to a topic that nobody reads
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."LETTER_EVENTS" add constraint "LETTER_EVENTS_EVENT_IS_DECLARED_188A0C" check (("AGGREGATETYPE", "TYPE") in ((''Letter'', ''LetterSent''),
    (''outbox-kit.canary'', ''Canary'')))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'LETTER_EVENTS' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'LETTER_EVENTS_EVENT_IS_DECLARED'
            and constraint_name <> 'LETTER_EVENTS_EVENT_IS_DECLARED_188A0C'
    ) loop
        execute immediate 'alter table "SHOP"."LETTER_EVENTS" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- a message that the broker refuses as too large stops the connector; an empty one says nothing; counted in characters, because nothing counts a CLOB's bytes
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."LETTER_EVENTS" add constraint "LETTER_EVENTS_PAYLOAD_FITS_B07589" check (length("PAYLOAD") between 1 and 900000)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'LETTER_EVENTS' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'LETTER_EVENTS_PAYLOAD_FITS'
            and constraint_name <> 'LETTER_EVENTS_PAYLOAD_FITS_B07589'
    ) loop
        execute immediate 'alter table "SHOP"."LETTER_EVENTS" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- lower case, so that one id is one text wherever it is compared
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."LETTER_EVENTS" add constraint "LETTER_EVENTS_ID_IS_A_UUID_3E2BD8" check (regexp_like("ID", ''^[0123456789abcdef]{8}(-[0123456789abcdef]{4}){3}-[0123456789abcdef]{12}$'', ''c''))';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'LETTER_EVENTS' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'LETTER_EVENTS_ID_IS_A_UUID'
            and constraint_name <> 'LETTER_EVENTS_ID_IS_A_UUID_3E2BD8'
    ) loop
        execute immediate 'alter table "SHOP"."LETTER_EVENTS" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/

-- consumers read it as what the contract says
declare
    there exception;
    pragma exception_init(there, -2264);
begin
    execute immediate 'alter table "SHOP"."LETTER_EVENTS" add constraint "LETTER_EVENTS_PAYLOAD_IS_JSON_385352" check ("PAYLOAD" is json strict)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'LETTER_EVENTS' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'LETTER_EVENTS_PAYLOAD_IS_JSON'
            and constraint_name <> 'LETTER_EVENTS_PAYLOAD_IS_JSON_385352'
    ) loop
        execute immediate 'alter table "SHOP"."LETTER_EVENTS" drop constraint '
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
    execute immediate 'create table "SHOP"."LETTER_EVENTS_HEARTBEAT" (
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
    execute immediate 'alter table "SHOP"."LETTER_EVENTS_HEARTBEAT" add supplemental log data (all) columns';
exception
    when there then null;
end;
/

-- The connector reads these two tables, as they were at one moment (flashback), and beats.
grant select, flashback on "SHOP"."LETTER_EVENTS" to "LETTERS_OUTBOX"
/
grant select, flashback, insert, update on "SHOP"."LETTER_EVENTS_HEARTBEAT" to "LETTERS_OUTBOX"
/

-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.

-- The feed: a new row of "SHOP"."Letters" becomes an event.
-- It is a trigger that writes, because a view has no log that could be captured, and a virtual column is not in it. It works
-- in the owner's transaction: what breaks a rule of the outbox takes the owner's row with it. What is no event of the
-- schema file is passed over. SQL*Loader's direct path fires no trigger.
-- One that cannot be compiled would refuse the owner every row: another one, which is not switched on, tells beforehand.
create or replace trigger "SHOP"."LETTER_EVENTS_TRY" after insert on "SHOP"."Letters" for each row disable
begin
    for event in (
        select * from (
            select
                lower(regexp_replace(rawtohex(:new.id), '(.{8})(.{4})(.{4})(.{4})', '\1-\2-\3-\4-')) as "ID",
                ('Letter') as "AGGREGATETYPE",
                (:new."Recipient") as "AGGREGATEID",
                (:new.kind) as "TYPE",
                (:new.body) as "PAYLOAD"
            from dual
        )
        where ("AGGREGATETYPE", "TYPE") in (('Letter', 'LetterSent'))
    ) loop
        insert into "SHOP"."LETTER_EVENTS" ("ID", "AGGREGATETYPE", "AGGREGATEID", "TYPE", "PAYLOAD")
        values (event."ID", event."AGGREGATETYPE", event."AGGREGATEID", event."TYPE", event."PAYLOAD");
    end loop;
end;
/
declare
    said varchar2(2000);
begin
    select substr(max(text), 1, 1900) into said from all_errors
    where owner = 'SHOP' and name = 'LETTER_EVENTS_TRY' and type = 'TRIGGER' and attribute = 'ERROR';
    execute immediate 'drop trigger "SHOP"."LETTER_EVENTS_TRY"';
    if said is not null then
        raise_application_error(-20000, 'the feed cannot be compiled, and was not changed: ' || said);
    end if;
end;
/
create or replace trigger "SHOP"."LETTER_EVENTS_FEED" after insert on "SHOP"."Letters" for each row
begin
    for event in (
        select * from (
            select
                lower(regexp_replace(rawtohex(:new.id), '(.{8})(.{4})(.{4})(.{4})', '\1-\2-\3-\4-')) as "ID",
                ('Letter') as "AGGREGATETYPE",
                (:new."Recipient") as "AGGREGATEID",
                (:new.kind) as "TYPE",
                (:new.body) as "PAYLOAD"
            from dual
        )
        where ("AGGREGATETYPE", "TYPE") in (('Letter', 'LetterSent'))
    ) loop
        insert into "SHOP"."LETTER_EVENTS" ("ID", "AGGREGATETYPE", "AGGREGATEID", "TYPE", "PAYLOAD")
        values (event."ID", event."AGGREGATETYPE", event."AGGREGATEID", event."TYPE", event."PAYLOAD");
    end loop;
end;
/
