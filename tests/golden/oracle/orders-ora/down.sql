-- The outbox of 'orders-ora', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.
set define off
whenever sqlerror exit failure

-- Part 1 of 2, for an administrator or the tables' owner, in the pluggable database: the tables.
alter session set container = "ORCLPDB1"
/
alter session set ddl_lock_timeout = 10
/
declare
    there exception;
    pragma exception_init(there, -942);
begin
    execute immediate 'drop table "ORDERS"."OUTBOX_HEARTBEAT" purge';
exception
    when there then null;
end;
/
declare
    there exception;
    pragma exception_init(there, -942);
begin
    execute immediate 'drop table "ORDERS"."OUTBOX" purge';
exception
    when there then null;
end;
/

-- Part 2 of 2, for an administrator, in the container's root: the connector's user. The database's
-- supplemental logging stays as it is: somebody else may need it.
alter session set container = CDB$ROOT
/
declare
    there exception;
    pragma exception_init(there, -1918);
begin
    execute immediate 'drop user "C##ORDERS_ORA_OUTBOX" cascade';
exception
    when there then null;
end;
/
