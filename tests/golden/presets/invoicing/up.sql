-- The outbox of 'invoicing', written by outbox-kit 0.1.0 from its schema file.
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
use [invoicing];
declare @statement nvarchar(max);

-- What the server must be for this.
if collationproperty(N'Latin1_General_100_BIN2_UTF8', N'CodePage') is null
    throw 50000, N'SQL Server 2019 or later is needed', 1;
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0 and is_srvrolemember(N'sysadmin') = 0
    throw 50000, N'change data capture is not enabled in this database, which takes a member of sysadmin', 1;
if (select cast(value_in_use as bigint) from sys.configurations where name = N'max text repl size (B)')
    between 0 and 2 * cast(N'900000' as bigint) - 1
    throw 50000, N'a large event would be refused: exec sp_configure ''max text repl size'', -1; reconfigure', 1;
if has_perms_by_name(null, null, N'view server state') = 1
    if exists (select 1 from sys.dm_server_services where servicename like N'SQL Server Agent (%' and status <> 4)
        throw 50000, N'nothing is captured while the server''s Agent does not run: start it', 1;

begin transaction;

-- The outbox. Append only: the connector publishes inserts and nothing else.
-- Its rows lie in the order in which they were written: those of a random id would be strewn over all pages.
if object_id(N'[dbo].[outbox]', N'U') is null
create table [dbo].[outbox] (
    [id] char(36) collate Latin1_General_100_BIN2 not null,
    [aggregatetype] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [aggregateid] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [type] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [payload] varbinary(max) not null,
    [sequence] bigint identity(1, 1) not null,
    [message_id] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [created_at] datetimeoffset(6) default sysutcdatetime() not null,
    constraint [outbox_order] primary key clustered ([sequence]),
    index [age] nonclustered ([created_at]), -- finds the rows that are old enough to go
    constraint [outbox_event] unique nonclustered ([id])
);

-- What each is for, where the server's tools show it. It goes with the table; what was said before is said anew.
set @statement = (
    select string_agg(cast(concat(N'exec sys.sp_dropextendedproperty N''MS_Description'', N''schema'', N''dbo'', N''table'', N''outbox''',
        iif(minor_id = 0, N'', concat(N', N''column'', N''', replace(col_name(major_id, minor_id), N'''', N''''''), N''''))) as nvarchar(max)), N'; ')
    from sys.extended_properties where class = 1 and major_id = object_id(N'[dbo].[outbox]') and name = N'MS_Description'
);
exec (@statement);
exec sys.sp_addextendedproperty N'MS_Description', N'The outbox: a row is an event. Append only.', N'schema', N'dbo', N'table', N'outbox';
exec sys.sp_addextendedproperty N'MS_Description', N'the event''s id: header id, what consumers deduplicate by', N'schema', N'dbo', N'table', N'outbox', N'column', N'id';
exec sys.sp_addextendedproperty N'MS_Description', N'what changed', N'schema', N'dbo', N'table', N'outbox', N'column', N'aggregatetype';
exec sys.sp_addextendedproperty N'MS_Description', N'which one changed: the message key', N'schema', N'dbo', N'table', N'outbox', N'column', N'aggregateid';
exec sys.sp_addextendedproperty N'MS_Description', N'what happened: header eventType', N'schema', N'dbo', N'table', N'outbox', N'column', N'type';
exec sys.sp_addextendedproperty N'MS_Description', N'the event, serialised', N'schema', N'dbo', N'table', N'outbox', N'column', N'payload';
exec sys.sp_addextendedproperty N'MS_Description', N'grows with every event: header sequence', N'schema', N'dbo', N'table', N'outbox', N'column', N'sequence';
exec sys.sp_addextendedproperty N'MS_Description', N'header messageId', N'schema', N'dbo', N'table', N'outbox', N'column', N'message_id';
exec sys.sp_addextendedproperty N'MS_Description', N'for retention; not read by the router', N'schema', N'dbo', N'table', N'outbox', N'column', N'created_at';

-- a misspelt event would go to a topic that nobody reads
if object_id(N'[dbo].[outbox_event_is_declared_24265c]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_event_is_declared' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_event_is_declared_24265c] check (concat([aggregatetype], nchar(10), [type], nchar(10)) in (concat(N''Conversation'', nchar(10), N''Invoicing.InvoiceSent'', nchar(10)), concat(N''outbox-kit.canary'', nchar(10), N''Canary'', nchar(10))))');
end;

-- all events with an empty key share one partition and one order
if object_id(N'[dbo].[outbox_key_is_not_empty_df58a3]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_key_is_not_empty' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_key_is_not_empty_df58a3] check (cast(cast([aggregateid] as nvarchar(max)) collate Latin1_General_100_BIN2_UTF8 as varchar(max)) <> '''')');
end;

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
if object_id(N'[dbo].[outbox_payload_fits_e1ea15]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_payload_fits' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_payload_fits_e1ea15] check (datalength([payload]) between 1 and 900000)');
end;

-- lower case, so that one id is one text wherever it is compared
if object_id(N'[dbo].[outbox_id_is_a_uuid_d333cc]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_id_is_a_uuid' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_id_is_a_uuid_d333cc] check ([id] like replace(''xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'', ''x'', ''[0-9a-f]''))');
end;


-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within what the cleanup job leaves.
if object_id(N'[dbo].[outbox_heartbeat]', N'U') is null
create table [dbo].[outbox_heartbeat] (
    id int not null primary key,
    beat_at datetime2(6) not null default sysutcdatetime()
);
insert into [dbo].[outbox_heartbeat] (id) select 1 where not exists (select 1 from [dbo].[outbox_heartbeat]);


-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.


-- The connector's login: disabled, and with a password that nobody knows, until it gets one apart from this script:
--   alter login ... with password = '...'; alter login ... enable
if suser_id(N'invoicing_outbox') is null
begin
    set @statement = N'create login [invoicing_outbox] with password = N''aA1!' + convert(nvarchar(60), crypt_gen_random(30), 2)
        + N'''; alter login [invoicing_outbox] disable';
    exec (@statement);
end;
if database_principal_id(N'invoicing_outbox') is null
    create user [invoicing_outbox] for login [invoicing_outbox];
-- Who may see the captured rows: this role, which is all that the connector's user is in.
if database_principal_id(N'invoicing_outbox_gate') is null
    create role [invoicing_outbox_gate];
alter role [invoicing_outbox_gate] add member [invoicing_outbox];
grant select on [dbo].[outbox] to [invoicing_outbox_gate];
grant select, update on [dbo].[outbox_heartbeat] to [invoicing_outbox_gate];

commit transaction;


-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_102914')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox',
        @capture_instance = N'dbo_outbox_102914', @role_name = N'invoicing_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_102914_CT] to [invoicing_outbox_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_heartbeat_9d5f23')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox_heartbeat',
        @capture_instance = N'dbo_outbox_heartbeat_9d5f23', @role_name = N'invoicing_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_heartbeat_9d5f23_CT] to [invoicing_outbox_gate];

grant select on cdc.change_tables to [invoicing_outbox_gate];
grant select on cdc.captured_columns to [invoicing_outbox_gate];
grant select on cdc.lsn_time_mapping to [invoicing_outbox_gate];


-- The feed: each new row of [nsb].[InvoicingOutboxData] becomes an event for each element of Operations.
-- It is a trigger that writes, because a view has no log that could be captured, and what is captured of a computed column
-- is NULL. It works in the owner's transaction: what breaks a rule of the outbox takes the owner's rows with it. What is
-- no event of the schema file is passed over. Of the owner's own, look at:
--   an INSERT with OUTPUT and without INTO is refused as soon as a table has a trigger. Entity Framework Core writes such
--   ones from 7 on, unless it is told of the trigger: ToTable(table => table.HasTrigger("outbox_feed"))
--   @@identity is a number of the outbox's after an INSERT; scope_identity() stays the owner's
--   a bulk load fires no trigger unless it is told to: FIRE_TRIGGERS, SqlBulkCopyOptions.FireTriggers
if (select compatibility_level from sys.databases where database_id = db_id()) < 130
    throw 50000, N'an array is read by openjson, which takes the database''s compatibility level 130', 1;
if objectproperty(object_id(N'[nsb].[InvoicingOutboxData]'), N'OwnerId') <> objectproperty(object_id(N'[dbo].[outbox]'), N'OwnerId')
    throw 50000, N'the two tables have not the same owner: who writes into the one could not write into the other', 1;
exec (N'create or alter trigger [nsb].[outbox_feed] on [nsb].[InvoicingOutboxData] after insert as
begin
    set nocount on;
    insert into [dbo].[outbox] ([id], [aggregatetype], [aggregateid], [type], [payload], [message_id])
    select [id], [aggregatetype], [aggregateid], [type], [payload], [message_id] from (
        select
            lower(cast((newid()) as nvarchar(max)) collate Latin1_General_100_BIN2) as [id],
            cast((''Conversation'') as nvarchar(max)) collate Latin1_General_100_BIN2 as [aggregatetype],
            cast((coalesce(json_value(item, ''$.Headers."NServiceBus.ConversationId"''), json_value(item, ''$.MessageId''))) as nvarchar(max)) collate Latin1_General_100_BIN2 as [aggregateid],
            cast(((select left(types, patindex(''%[;,]%'', types + '';'') - 1) from openjson(item) with (types nvarchar(max) ''$.Headers."NServiceBus.EnclosedMessageTypes"''))) as nvarchar(max)) collate Latin1_General_100_BIN2 as [type],
            ((select body from openjson(item) with (body varbinary(max) ''$.Body''))) as [payload],
            cast((json_value(item, ''$.MessageId'')) as nvarchar(max)) collate Latin1_General_100_BIN2 as [message_id],
            place
        from inserted as new
        cross apply (select value as item, cast([key] as int) as place from openjson(new.[Operations])) as listed
    ) as given
    where concat([aggregatetype], nchar(10), [type], nchar(10)) in (concat(N''Conversation'', nchar(10), N''Invoicing.InvoiceSent'', nchar(10))) order by place;
end');
