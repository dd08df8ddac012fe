-- The inbox of those who read the events of 'selling', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. For the consumer's own database. Can be run again at any time.

set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
-- A lock that is not to be had must not make the consumer queue up behind us.
set lock_timeout 10000;
declare @statement nvarchar(max);

begin transaction;
if schema_id(N'sales') is null
    exec (N'create schema [sales]');

-- A message that is in it has been handled, once for each consumer.
-- Its key finds the rows that are old enough to go. A message can come again for as long as its row is in the
-- outbox, and then as long as its topic keeps it, a week unless told otherwise. Until it deletes none:
--   delete top (4000) from [sales].[inbox] where received_at < dateadd(day, -14, sysutcdatetime())
if object_id(N'[sales].[inbox]', N'U') is null
create table [sales].[inbox] (
    consumer nvarchar(255) collate Latin1_General_100_BIN2 not null,
    message_id char(36) collate Latin1_General_100_BIN2 not null,
    received_at datetimeoffset(6) default sysutcdatetime() not null,
    constraint [inbox_handled] primary key nonclustered (consumer, message_id),
    index [age] clustered (received_at)
);

-- What each is for, where the server's tools show it. It goes with the table; what was said before is said anew.
set @statement = (
    select string_agg(cast(concat(N'exec sys.sp_dropextendedproperty N''MS_Description'', N''schema'', N''sales'', N''table'', N''inbox''',
        iif(minor_id = 0, N'', concat(N', N''column'', N''', replace(col_name(major_id, minor_id), N'''', N''''''), N''''))) as nvarchar(max)), N'; ')
    from sys.extended_properties where class = 1 and major_id = object_id(N'[sales].[inbox]') and name = N'MS_Description'
);
exec (@statement);
exec sys.sp_addextendedproperty N'MS_Description', N'The inbox: a row is a message that a consumer has handled.', N'schema', N'sales', N'table', N'inbox';
exec sys.sp_addextendedproperty N'MS_Description', N'who has handled it', N'schema', N'sales', N'table', N'inbox', N'column', N'consumer';
exec sys.sp_addextendedproperty N'MS_Description', N'the header id', N'schema', N'sales', N'table', N'inbox', N'column', N'message_id';
exec sys.sp_addextendedproperty N'MS_Description', N'for retention', N'schema', N'sales', N'table', N'inbox', N'column', N'received_at';

-- What a consumer may: remember a message at the database's own time, and forget it. Make the consumer's user a member.
if database_principal_id(N'selling_inbox') is null
    create role [selling_inbox];
grant select, insert, delete on [sales].[inbox] to [selling_inbox];
commit transaction;
