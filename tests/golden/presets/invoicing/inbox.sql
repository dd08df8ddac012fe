-- The inbox of those who read the events of 'invoicing', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. For the consumer's own database. Can be run again at any time.

set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
-- A lock that is not to be had must not make the consumer queue up behind us.
set lock_timeout 10000;

begin transaction;

-- A message that is in it has been handled, once for each consumer.
-- Its key finds the rows that are old enough to go. A message can come again for as long as its row is in the
-- outbox, and then as long as its topic keeps it, a week unless told otherwise. Until it deletes none:
--   delete top (5000) from [dbo].[inbox] where received_at < dateadd(day, -14, sysutcdatetime())
if object_id(N'[dbo].[inbox]', N'U') is null
create table [dbo].[inbox] (
    consumer nvarchar(255) collate Latin1_General_100_BIN2 not null, -- who has handled it
    message_id char(36) collate Latin1_General_100_BIN2 not null, -- the header id
    received_at datetimeoffset(6) default sysutcdatetime() not null, -- for retention
    constraint [inbox_handled] primary key nonclustered (consumer, message_id),
    index [age] clustered (received_at)
);

-- What a consumer may: remember a message at the database's own time, and forget it. Make the consumer's user a member.
if database_principal_id(N'invoicing_inbox') is null
    create role [invoicing_inbox];
grant select, insert, delete on [dbo].[inbox] to [invoicing_inbox];
commit transaction;
