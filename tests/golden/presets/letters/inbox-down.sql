-- The inbox of those who read the events of 'letters', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the inbox: what comes again will be handled again.
set define off
whenever sqlerror exit failure

alter session set ddl_lock_timeout = 10
/
declare
    there exception;
    pragma exception_init(there, -942);
begin
    execute immediate 'drop table "SHOP"."INBOX" purge';
exception
    when there then null;
end;
/
declare
    there exception;
    pragma exception_init(there, -1919);
begin
    execute immediate 'drop role "LETTERS_INBOX"';
exception
    when there then null;
end;
/
