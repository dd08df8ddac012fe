-- The outbox of 'selling', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.

-- One batch, without GO: after an error nothing more of it is run. All up to the capture is one transaction, and the
-- capture none: run this outside of any other.
--
-- The server's Agent must run: its capture job reads the log every five seconds, so an event is as late as that. For one
-- second: exec sys.sp_cdc_change_job N'capture', @pollinginterval = 1; then sys.sp_cdc_stop_job and sys.sp_cdc_start_job.
-- The cleanup job takes away what it read three days ago; that must be longer than any outage of the connector:
-- exec sys.sp_cdc_change_job N'cleanup', @retention = 4320 (minutes).
set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
set numeric_roundabort off;
-- A lock that is not to be had must not make the application queue up behind us.
set lock_timeout 10000;
use [selling];
declare @statement nvarchar(max);

-- What the server must be for this.
if collationproperty(N'Latin1_General_100_BIN2_UTF8', N'CodePage') is null
    throw 50000, N'SQL Server 2019 or later is needed', 1;
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0 and is_srvrolemember(N'sysadmin') = 0
    throw 50000, N'change data capture is not enabled in this database, which takes a member of sysadmin', 1;
if (select cast(value_in_use as bigint) from sys.configurations where name = N'max text repl size (B)')
    between 0 and 2147483646
    throw 50000, N'its owner could not write a long text into a captured table: exec sp_configure ''max text repl size'', -1; reconfigure', 1;
if has_perms_by_name(null, null, N'view server state') = 1
    if exists (select 1 from sys.dm_server_services where servicename like N'SQL Server Agent (%' and status <> 4)
        throw 50000, N'nothing is captured while the server''s Agent does not run: start it', 1;

begin transaction;
if schema_id(N'sales') is null
    exec (N'create schema [sales]');

-- The table [sales].[OutboxMessage] is its owner's: nothing here makes, changes or drops it.
-- Its owner goes on to UPDATE and DELETE rows as ever. An INSERT is an event, and nothing else is: the connector passes
-- over the rest, so that a publisher may work beside it for as long as it is needed.
-- While it is captured, the server refuses a TRUNCATE of it, and to switch its partitions.
if object_id(N'[sales].[OutboxMessage]', N'U') is null
    throw 50000, N'there is no such table: its owner must make it first', 1;
if exists (select 1 from sys.columns where object_id = object_id(N'[sales].[OutboxMessage]') and is_computed = 1
        and name in (N'MessageId', N'MessageType', N'Body', N'SequenceNumber', N'ContentType', N'ConversationId', N'CorrelationId', N'SentTime'))
    throw 50000, N'a computed column is always NULL in what is captured: feed a table of ours instead (table.fed_by)', 1;


-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within what the cleanup job leaves.
if object_id(N'[sales].[OutboxMessage_heartbeat]', N'U') is null
create table [sales].[OutboxMessage_heartbeat] (
    id int not null primary key,
    beat_at datetime2(6) not null default sysutcdatetime()
);
insert into [sales].[OutboxMessage_heartbeat] (id) select 1 where not exists (select 1 from [sales].[OutboxMessage_heartbeat]);


-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.


-- The connector's login: disabled, and with a password that nobody knows, until it gets one apart from this script:
--   alter login ... with password = '...'; alter login ... enable
if suser_id(N'selling_outbox') is null
begin
    set @statement = N'create login [selling_outbox] with password = N''aA1!' + convert(nvarchar(60), crypt_gen_random(30), 2)
        + N'''; alter login [selling_outbox] disable';
    exec (@statement);
end;
if database_principal_id(N'selling_outbox') is null
    create user [selling_outbox] for login [selling_outbox];
-- Who may see the captured rows: this role, which is all that the connector's user is in.
if database_principal_id(N'selling_outbox_gate') is null
    create role [selling_outbox_gate];
alter role [selling_outbox_gate] add member [selling_outbox];
grant select on [sales].[OutboxMessage] to [selling_outbox_gate];
grant select, update on [sales].[OutboxMessage_heartbeat] to [selling_outbox_gate];

commit transaction;


-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'sales_OutboxMessage_1c548b')
    exec sys.sp_cdc_enable_table @source_schema = N'sales', @source_name = N'OutboxMessage',
        @capture_instance = N'sales_OutboxMessage_1c548b', @role_name = N'selling_outbox_gate', @supports_net_changes = 0,
        @captured_column_list = N'[MessageId], [MessageType], [Body], [SequenceNumber], [ContentType], [ConversationId], [CorrelationId], [SentTime]';
grant select on [cdc].[sales_OutboxMessage_1c548b_CT] to [selling_outbox_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'sales_OutboxMessage_heartbeat_d77b52')
    exec sys.sp_cdc_enable_table @source_schema = N'sales', @source_name = N'OutboxMessage_heartbeat',
        @capture_instance = N'sales_OutboxMessage_heartbeat_d77b52', @role_name = N'selling_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[sales_OutboxMessage_heartbeat_d77b52_CT] to [selling_outbox_gate];
-- Somebody else may have it captured already: of two captures of a table the connector reads one after the other.
set @statement = (
    select string_agg(cast(N'grant select on cdc.' + quotename(capture_instance + N'_CT')
        + N' to [selling_outbox_gate]' as nvarchar(max)), N'; ')
    from cdc.change_tables where source_object_id = object_id(N'[sales].[OutboxMessage]')
);
exec (@statement);

grant select on cdc.change_tables to [selling_outbox_gate];
grant select on cdc.captured_columns to [selling_outbox_gate];
grant select on cdc.lsn_time_mapping to [selling_outbox_gate];
