-- The outbox of 'letters', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.
set define off
whenever sqlerror exit failure

-- Part 1 of 2, for an administrator or the tables' owner: the tables.
alter session set ddl_lock_timeout = 10
/
declare
    there exception;
    pragma exception_init(there, -942);
begin
    execute immediate 'drop table "SHOP"."LETTER_EVENTS_HEARTBEAT" purge';
exception
    when there then null;
end;
/
declare
    there exception;
    pragma exception_init(there, -4080);
begin
    execute immediate 'drop trigger "SHOP"."LETTER_EVENTS_FEED"';
exception
    when there then null;
end;
/
declare
    there exception;
    pragma exception_init(there, -942);
begin
    execute immediate 'drop table "SHOP"."LETTER_EVENTS" purge';
exception
    when there then null;
end;
/

-- Part 2 of 2, for an administrator: the connector's user. The database's
-- supplemental logging stays as it is: somebody else may need it.
declare
    there exception;
    pragma exception_init(there, -1918);
begin
    execute immediate 'drop user "LETTERS_OUTBOX" cascade';
exception
    when there then null;
end;
/
