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

-- CONTRACT: when nobody needs the old any more

-- 1. put the new table in the old one's place
--    when: while nobody writes, and after the connector has passed the last row (outbox-kit status); then the
--          connector's new config, then the new code
--    why: 'AGGREGATETYPE' is called 'KIND', and no trigger keeps both the same; 'AGGREGATEID' is called 'the key', and
--          no trigger keeps both the same; 'TYPE' is called 'ITS', and no trigger keeps both the same; 'PAYLOAD' is
--          called 'BODY', and no trigger keeps both the same; 'CREATED_AT' is called 'At', and no trigger keeps both
--          the same; 'TENANT' is called 'WHO', and no trigger keeps both the same; foreign keys, triggers, and views
--          where they do not go by a name, stay with the old table
-- The new table begins empty, and what was published stays in "SHOP"."OUTBOX_BEFORE": the connector would publish
-- copied rows once more. Where rows are kept for good, verify takes messages without a row for nobody's: have it begin
-- after them, with --from.
-- Out of the way, unless the table is the new one already. ORA-00955 says that the one before the last exchange is still
-- there: drop that first.
declare
    parts varchar2(3);
    same number;
begin
    select max(partitioned) into parts from all_tables where owner = 'SHOP' and table_name = 'OUTBOX';
    select count(*) into same from (
        select column_name, identity_column, case
            when data_type = 'VARCHAR2' and char_used = 'C' then 'varchar2(' || char_length || ' char)'
            when data_type = 'VARCHAR2' then 'varchar2(' || data_length || ' byte)'
            when data_type = 'NUMBER' then 'number(' || data_precision || ')'
            else lower(data_type)
        end as kind
        from all_tab_cols where owner = 'SHOP' and table_name = 'OUTBOX'
    ) where (column_name, kind, identity_column) in (
        ('ID', 'varchar2(36 char)', 'NO'),
        ('KIND', 'varchar2(255 char)', 'NO'),
        ('the key', 'varchar2(255 char)', 'NO'),
        ('ITS', 'varchar2(255 char)', 'NO'),
        ('BODY', 'clob', 'NO'),
        ('SEQUENCE', 'number(18)', 'YES'),
        ('WHO', 'varchar2(255 char)', 'NO'),
        ('At', 'timestamp(6)', 'NO')
    );
    if parts <> 'NO' or parts is not null and same < 8 then
        execute immediate 'alter table "SHOP"."OUTBOX" rename to "OUTBOX_BEFORE"';
    end if;
end;
/
-- The names of its rules and indexes are the new one's.
begin
    for rule in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX_BEFORE' and constraint_type in ('C', 'P') and generated = 'USER NAME'
    ) loop
        execute immediate 'alter table "SHOP"."OUTBOX_BEFORE" drop constraint '
            || dbms_assert.enquote_name(rule.constraint_name, false);
    end loop;
    for one in (
        select index_name from all_indexes
        where owner = 'SHOP' and table_owner = 'SHOP' and table_name = 'OUTBOX_BEFORE'
            and index_name in ('OUTBOX_VERSION', 'OUTBOX_AGE')
    ) loop
        execute immediate 'drop index "SHOP".' || dbms_assert.enquote_name(one.index_name, false);
    end loop;
end;
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
    "KIND" varchar2(255 char) not null,
    "the key" varchar2(255 char) not null,
    "ITS" varchar2(255 char) not null,
    "BODY" clob not null,
    "SEQUENCE" number(18) generated always as identity (order) not null,
    "WHO" varchar2(255 char) not null,
    "At" timestamp(6) default sys_extract_utc(systimestamp) not null,
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
comment on column "SHOP"."OUTBOX"."KIND" is 'what changed'
/
comment on column "SHOP"."OUTBOX"."the key" is 'which one changed: the message key'
/
comment on column "SHOP"."OUTBOX"."ITS" is 'what happened: header eventType'
/
comment on column "SHOP"."OUTBOX"."BODY" is 'the event; kept byte for byte'
/
comment on column "SHOP"."OUTBOX"."SEQUENCE" is 'grows with every event: header sequence'
/
comment on column "SHOP"."OUTBOX"."WHO" is 'header tenant'
/
comment on column "SHOP"."OUTBOX"."At" is 'for retention; not read by the router'
/
-- Finds the rows that are old enough to go.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create index "SHOP"."OUTBOX_AGE" on "SHOP"."OUTBOX" ("At")';
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
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_EVENT_IS_DECLARED_AB6FC2" check (("KIND", "ITS") in ((''Order'', ''A''),
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
            and constraint_name <> 'OUTBOX_EVENT_IS_DECLARED_AB6FC2'
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
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_PAYLOAD_FITS_48FFA9" check (length("BODY") between 1 and 900000)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PAYLOAD_FITS'
            and constraint_name <> 'OUTBOX_PAYLOAD_FITS_48FFA9'
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
    execute immediate 'alter table "SHOP"."OUTBOX" add constraint "OUTBOX_PAYLOAD_IS_JSON_D05C2C" check ("BODY" is json strict)';
exception
    when there then null;
end;
/
begin
    for older in (
        select constraint_name from all_constraints
        where owner = 'SHOP' and table_name = 'OUTBOX' and constraint_type = 'C'
            and substr(constraint_name, 1, length(constraint_name) - 7) = 'OUTBOX_PAYLOAD_IS_JSON'
            and constraint_name <> 'OUTBOX_PAYLOAD_IS_JSON_D05C2C'
    ) loop
        execute immediate 'alter table "SHOP"."OUTBOX" drop constraint '
            || dbms_assert.enquote_name(older.constraint_name, false);
    end loop;
end;
/
-- It goes on counting where the old one ended.
declare
    last_before number;
    last_now number;
begin
    select max(s.last_number) into last_before from all_tab_identity_cols i
    join all_sequences s on s.sequence_owner = i.owner and s.sequence_name = i.sequence_name
    where i.owner = 'SHOP' and i.table_name = 'OUTBOX_BEFORE';
    select max(s.last_number) into last_now from all_tab_identity_cols i
    join all_sequences s on s.sequence_owner = i.owner and s.sequence_name = i.sequence_name
    where i.owner = 'SHOP' and i.table_name = 'OUTBOX';
    if last_before > last_now then
        execute immediate 'alter table "SHOP"."OUTBOX" modify ("SEQUENCE" generated always as identity (order start with ' || last_before || '))';
    end if;
end;
/
-- Who had a right to the old one has it to this one; rights to single columns are to be given again.
begin
    for held in (
        select privilege, grantee, decode(grantable, 'YES', ' with grant option') as passed_on from all_tab_privs
        where table_schema = 'SHOP' and table_name = 'OUTBOX_BEFORE'
    ) loop
        execute immediate 'grant ' || held.privilege || ' on "SHOP"."OUTBOX" to '
            || dbms_assert.enquote_name(held.grantee, false) || held.passed_on;
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
grant select, flashback on "SHOP"."OUTBOX" to "SHOP_OUTBOX"
/
grant select, flashback, insert, update on "SHOP"."OUTBOX_HEARTBEAT" to "SHOP_OUTBOX"
/

-- 2. outbox-kit deploy-connector --probe
--    when: before anybody writes again
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ column.exclude.list = SHOP\.OUTBOX\.CREATED_AT -> SHOP\.OUTBOX\.At
--   ~ transforms.outbox.route.by.field = AGGREGATETYPE -> KIND [wire]
--   ~ transforms.outbox.table.field.event.key = AGGREGATEID -> the key [wire]
--   ~ transforms.outbox.table.field.event.payload = PAYLOAD -> BODY [wire]
--   ~ transforms.outbox.table.fields.additional.placement = TYPE:header:eventType,AGGREGATETYPE:header:aggregateType,SEQUENCE:header:sequence,TENANT:header:tenant -> ITS:header:eventType,KIND:header:aggregateType,SEQUENCE:header:sequence,WHO:header:tenant [wire]

-- 3. drop the table as it was
--    when: when nobody asks for its rows any more
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- declare
--     there exception;
--     pragma exception_init(there, -942);
-- begin
--     execute immediate 'drop table "SHOP"."OUTBOX_BEFORE" purge';
-- exception
--     when there then null;
-- end;
-- /
