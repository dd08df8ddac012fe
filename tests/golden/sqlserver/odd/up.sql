-- The outbox of 'odd', written by outbox-kit 0.1.0 from its schema file.
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
use [odd]]Db];
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
if schema_id(N'sa les') is null
    exec (N'create schema [sa les]');

-- The outbox. Append only: the connector publishes inserts and nothing else.
-- Its rows lie in the order in which they were written: those of a random id would be strewn over all pages.
if object_id(N'[sa les].[sel]]ect''s]', N'U') is null
create table [sa les].[sel]]ect's] (
    [order] char(36) collate Latin1_General_100_BIN2 not null,
    [group] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [user] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [table] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [where] varbinary(max) not null,
    [version] bigint not null,
    [destination] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [slot] int not null,
    [At] datetimeoffset(6) default sysutcdatetime() not null,
    -- one version of an aggregate is one event: two writers with the same version cannot both commit
    constraint [sel]]ect's_version] unique nonclustered ([group], [user], [version]),
    index [age] clustered ([At]),
    constraint [sel]]ect's_event] primary key nonclustered ([order])
);

-- What each is for, where the server's tools show it. It goes with the table; what was said before is said anew.
set @statement = (
    select string_agg(cast(concat(N'exec sys.sp_dropextendedproperty N''MS_Description'', N''schema'', N''sa les'', N''table'', N''sel]ect''''s''',
        iif(minor_id = 0, N'', concat(N', N''column'', N''', replace(col_name(major_id, minor_id), N'''', N''''''), N''''))) as nvarchar(max)), N'; ')
    from sys.extended_properties where class = 1 and major_id = object_id(N'[sa les].[sel]]ect''s]') and name = N'MS_Description'
);
exec (@statement);
exec sys.sp_addextendedproperty N'MS_Description', N'The outbox: a row is an event. Append only.', N'schema', N'sa les', N'table', N'sel]ect''s';
exec sys.sp_addextendedproperty N'MS_Description', N'the event''s id: header id, what consumers deduplicate by: the message key', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'order';
exec sys.sp_addextendedproperty N'MS_Description', N'what changed', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'group';
exec sys.sp_addextendedproperty N'MS_Description', N'which one changed', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'user';
exec sys.sp_addextendedproperty N'MS_Description', N'what happened: header eventType', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'table';
exec sys.sp_addextendedproperty N'MS_Description', N'the event, serialised', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'where';
exec sys.sp_addextendedproperty N'MS_Description', N'the aggregate''s version: 1, 2, 3: header sequence', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'version';
exec sys.sp_addextendedproperty N'MS_Description', N'header destination', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'destination';
exec sys.sp_addextendedproperty N'MS_Description', N'partition', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'slot';
exec sys.sp_addextendedproperty N'MS_Description', N'for retention; not read by the router', N'schema', N'sa les', N'table', N'sel]ect''s', N'column', N'At';

-- a misspelt event would go to a topic that nobody reads
if object_id(N'[sa les].[sel]]ect''s_event_is_declared_157786]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [sa les].[sel]]ect''s] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[sa les].[sel]]ect''s]')
            and name = N'sel]ect''s_event_is_declared' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [sa les].[sel]]ect''s] with check add constraint [sel]]ect''s_event_is_declared_157786] check (concat([group], nchar(10), [table], nchar(10)) in (concat(N''Order'', nchar(10), N''It''''s \ placed'', nchar(10)), concat(N''outbox-kit.canary'', nchar(10), N''Canary'', nchar(10))))');
end;

-- the router puts the value into the topic's name unchecked, and the task dies of a bad one
if object_id(N'[sa les].[sel]]ect''s_route_is_topic_safe_96db40]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [sa les].[sel]]ect''s] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[sa les].[sel]]ect''s]')
            and name = N'sel]ect''s_route_is_topic_safe' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [sa les].[sel]]ect''s] with check add constraint [sel]]ect''s_route_is_topic_safe_96db40] check ([destination] not like N''%[^A-Za-z0-9._-]%'' and len([destination]) between 1 and 200)');
end;

-- all events with an empty key share one partition and one order
if object_id(N'[sa les].[sel]]ect''s_key_is_not_empty_f8f05f]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [sa les].[sel]]ect''s] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[sa les].[sel]]ect''s]')
            and name = N'sel]ect''s_key_is_not_empty' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [sa les].[sel]]ect''s] with check add constraint [sel]]ect''s_key_is_not_empty_f8f05f] check (cast(cast([order] as nvarchar(max)) collate Latin1_General_100_BIN2_UTF8 as varchar(max)) <> '''')');
end;

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
if object_id(N'[sa les].[sel]]ect''s_payload_fits_8734d6]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [sa les].[sel]]ect''s] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[sa les].[sel]]ect''s]')
            and name = N'sel]ect''s_payload_fits' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [sa les].[sel]]ect''s] with check add constraint [sel]]ect''s_payload_fits_8734d6] check (datalength([where]) between 1 and 900000)');
end;

-- lower case, so that one id is one text wherever it is compared
if object_id(N'[sa les].[sel]]ect''s_id_is_a_uuid_c93e9e]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [sa les].[sel]]ect''s] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[sa les].[sel]]ect''s]')
            and name = N'sel]ect''s_id_is_a_uuid' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [sa les].[sel]]ect''s] with check add constraint [sel]]ect''s_id_is_a_uuid_c93e9e] check ([order] like replace(''xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'', ''x'', ''[0-9a-f]''))');
end;

-- the producer refuses a partition that the topic does not have
if object_id(N'[sa les].[sel]]ect''s_partition_exists_410f3b]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [sa les].[sel]]ect''s] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[sa les].[sel]]ect''s]')
            and name = N'sel]ect''s_partition_exists' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [sa les].[sel]]ect''s] with check add constraint [sel]]ect''s_partition_exists_410f3b] check ([slot] between 0 and 5)');
end;


-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within what the cleanup job leaves.
if object_id(N'[sa les].[sel]]ect''s_heartbeat]', N'U') is null
create table [sa les].[sel]]ect's_heartbeat] (
    id int not null primary key,
    beat_at datetime2(6) not null default sysutcdatetime()
);
insert into [sa les].[sel]]ect's_heartbeat] (id) select 1 where not exists (select 1 from [sa les].[sel]]ect's_heartbeat]);


-- The application: it may add events and take them out again, and no more.
grant insert, delete, select ([order]) on [sa les].[sel]]ect's] to [the app];


-- The connector's login: disabled, and with a password that nobody knows, until it gets one apart from this script:
--   alter login ... with password = '...'; alter login ... enable
if suser_id(N'odd_cdc') is null
begin
    set @statement = N'create login [odd_cdc] with password = N''aA1!' + convert(nvarchar(60), crypt_gen_random(30), 2)
        + N'''; alter login [odd_cdc] disable';
    exec (@statement);
end;
if database_principal_id(N'odd_cdc') is null
    create user [odd_cdc] for login [odd_cdc];
-- Who may see the captured rows: this role, which is all that the connector's user is in.
if database_principal_id(N'odd_cdc_gate') is null
    create role [odd_cdc_gate];
alter role [odd_cdc_gate] add member [odd_cdc];
grant select on [sa les].[sel]]ect's] to [odd_cdc_gate];
grant select, update on [sa les].[sel]]ect's_heartbeat] to [odd_cdc_gate];

commit transaction;


-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'sa_les_sel_ect_s_a66d35')
    exec sys.sp_cdc_enable_table @source_schema = N'sa les', @source_name = N'sel]ect''s',
        @capture_instance = N'sa_les_sel_ect_s_a66d35', @role_name = N'odd_cdc_gate', @supports_net_changes = 0;
grant select on [cdc].[sa_les_sel_ect_s_a66d35_CT] to [odd_cdc_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'sa_les_sel_ect_s_heartbeat_0d06fc')
    exec sys.sp_cdc_enable_table @source_schema = N'sa les', @source_name = N'sel]ect''s_heartbeat',
        @capture_instance = N'sa_les_sel_ect_s_heartbeat_0d06fc', @role_name = N'odd_cdc_gate', @supports_net_changes = 0;
grant select on [cdc].[sa_les_sel_ect_s_heartbeat_0d06fc_CT] to [odd_cdc_gate];

grant select on cdc.change_tables to [odd_cdc_gate];
grant select on cdc.captured_columns to [odd_cdc_gate];
grant select on cdc.lsn_time_mapping to [odd_cdc_gate];
