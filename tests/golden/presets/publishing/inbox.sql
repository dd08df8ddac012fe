-- The inbox of those who read the events of 'publishing', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. For the consumer's own database. Can be run again at any time.
set define off
whenever sqlerror exit failure

-- For the consumer's own user, or an administrator in the consumer's database. DDL cannot be rolled back here: each
-- statement stands alone, and can be run again.
-- A lock that is not to be had must not make the consumer queue up behind us.
alter session set ddl_lock_timeout = 10
/
-- A message that is in it has been handled, once for each consumer.
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create table "SHOP"."INBOX" (
    consumer varchar2(255 char) not null,
    message_id varchar2(36 char) not null,
    received_at timestamp(6) default sys_extract_utc(systimestamp) not null,
    constraint "INBOX_PK" primary key (consumer, message_id)
)';
exception
    when there then null;
end;
/
comment on table "SHOP"."INBOX" is 'The inbox: a row is a message that a consumer has handled.'
/
-- Finds the rows that are old enough to go. A message can come again for as long as its row is in the outbox, and then
-- as long as its topic keeps it, a week unless told otherwise. Until it deletes none:
--   delete from "SHOP"."INBOX" where rownum <= 5000
--       and received_at < sys_extract_utc(systimestamp) - numtodsinterval(14, 'DAY')
declare
    there exception;
    pragma exception_init(there, -955);
begin
    execute immediate 'create index "SHOP"."INBOX_AGE" on "SHOP"."INBOX" (received_at)';
exception
    when there then null;
end;
/
-- What a consumer may: remember a message at the database's own time, and forget it. Grant it to the consumer's user.
declare
    there exception;
    pragma exception_init(there, -1921);
begin
    execute immediate 'create role "PUBLISHING_INBOX"';
exception
    when there then null;
end;
/
grant select, delete, insert (consumer, message_id) on "SHOP"."INBOX" to "PUBLISHING_INBOX"
/
