-- The outbox of 'orders-ms', written by outbox-kit 0.1.0 from its schema file.
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
use [shop];
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
    [payload] nvarchar(max) null,
    [sequence] bigint identity(1, 1) not null,
    [tenant] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [urgent] bit not null,
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
exec sys.sp_addextendedproperty N'MS_Description', N'the event; kept byte for byte', N'schema', N'dbo', N'table', N'outbox', N'column', N'payload';
exec sys.sp_addextendedproperty N'MS_Description', N'grows with every event: header sequence', N'schema', N'dbo', N'table', N'outbox', N'column', N'sequence';
exec sys.sp_addextendedproperty N'MS_Description', N'header tenantId', N'schema', N'dbo', N'table', N'outbox', N'column', N'tenant';
exec sys.sp_addextendedproperty N'MS_Description', N'header urgent', N'schema', N'dbo', N'table', N'outbox', N'column', N'urgent';
exec sys.sp_addextendedproperty N'MS_Description', N'for retention; not read by the router', N'schema', N'dbo', N'table', N'outbox', N'column', N'created_at';

-- a misspelt event would go to a topic that nobody reads
if object_id(N'[dbo].[outbox_event_is_declared_a96228]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_event_is_declared' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_event_is_declared_a96228] check (concat([aggregatetype], nchar(10), [type], nchar(10)) in (concat(N''Order'', nchar(10), N''OrderDeleted'', nchar(10)), concat(N''Order'', nchar(10), N''OrderPlaced'', nchar(10)), concat(N''outbox-kit.canary'', nchar(10), N''Canary'', nchar(10))))');
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
if object_id(N'[dbo].[outbox_payload_fits_1243c7]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_payload_fits' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_payload_fits_1243c7] check (datalength(cast(cast([payload] as nvarchar(max)) collate Latin1_General_100_BIN2_UTF8 as varchar(max))) between 1 and 900000)');
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

-- consumers read it as what the contract says
if object_id(N'[dbo].[outbox_payload_is_json_3313a5]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_payload_is_json' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_payload_is_json_3313a5] check (isjson([payload]) = 1)');
end;

-- only the events declared as tombstones have no payload
if object_id(N'[dbo].[outbox_null_payload_is_a_tombstone_0b2203]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_null_payload_is_a_tombstone' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_null_payload_is_a_tombstone_0b2203] check (iif([payload] is null, 1, 0) = iif([type] in (N''OrderDeleted''), 1, 0))');
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
if suser_id(N'orders_ms_outbox') is null
begin
    set @statement = N'create login [orders_ms_outbox] with password = N''aA1!' + convert(nvarchar(60), crypt_gen_random(30), 2)
        + N'''; alter login [orders_ms_outbox] disable';
    exec (@statement);
end;
if database_principal_id(N'orders_ms_outbox') is null
    create user [orders_ms_outbox] for login [orders_ms_outbox];
-- Who may see the captured rows: this role, which is all that the connector's user is in.
if database_principal_id(N'orders_ms_outbox_gate') is null
    create role [orders_ms_outbox_gate];
alter role [orders_ms_outbox_gate] add member [orders_ms_outbox];
grant select on [dbo].[outbox] to [orders_ms_outbox_gate];
grant select, update on [dbo].[outbox_heartbeat] to [orders_ms_outbox_gate];

commit transaction;


-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_235cd2')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox',
        @capture_instance = N'dbo_outbox_235cd2', @role_name = N'orders_ms_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_235cd2_CT] to [orders_ms_outbox_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_heartbeat_8cb9ae')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox_heartbeat',
        @capture_instance = N'dbo_outbox_heartbeat_8cb9ae', @role_name = N'orders_ms_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_heartbeat_8cb9ae_CT] to [orders_ms_outbox_gate];

grant select on cdc.change_tables to [orders_ms_outbox_gate];
grant select on cdc.captured_columns to [orders_ms_outbox_gate];
grant select on cdc.lsn_time_mapping to [orders_ms_outbox_gate];
