-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- One batch, without GO: after an error nothing more of it is run. Run it outside of any transaction.
set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
set numeric_roundabort off;
-- A lock that is not to be had must not make the application queue up behind us.
set lock_timeout 10000;
use [shop];
declare @statement nvarchar(max);

-- CONTRACT: when nobody needs the old any more

-- 1. put the new table in the old one's place
--    when: while nobody writes, and after the connector has passed the last row (outbox-kit status); then the
--          connector's new config, then the new code
--    why: the database numbers the rows otherwise, those that are there too; 'sequence' is called 'number', and no
--          trigger keeps both the same; foreign keys, triggers, and views where they do not go by a name, stay with the
--          old table
-- No event is captured from here to the end: where something fails, run it again before anybody writes.
if not exists (
    select 1 from sys.extended_properties
    where class = 1 and major_id = object_id(N'[dbo].[outbox]') and minor_id = 0 and name = N'outbox-kit' and cast(value as nvarchar(100)) = N'as of 2203b317d55c, by outbox-kit'
)
begin
if object_id(N'[dbo_before].[outbox]') is not null
    throw 50000, N'the table of an earlier exchange is still there: drop it', 1;
-- The heartbeat's capture stays: where there is none as old as its position, a connector does not start again.
if exists (select 1 from sys.tables where object_id = object_id(N'[dbo].[outbox]') and is_tracked_by_cdc = 1)
    exec sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'outbox', @capture_instance = N'all';

begin transaction;
-- Who may what with the whole table: a table that moves leaves that behind.
declare @rights nvarchar(max) = (
    select string_agg(cast(iif(state = 'D', N'deny ', N'grant ') + permission_name + N' on [dbo].[outbox] to '
        + quotename(user_name(grantee_principal_id)) as nvarchar(max)), N'; ')
    from sys.database_permissions where class = 1 and major_id = object_id(N'[dbo].[outbox]') and minor_id = 0
);
-- With all its parts into a schema of its own, so that those of the new one can have their names.
if schema_id(N'dbo_before') is null
    exec (N'create schema [dbo_before]');
alter schema [dbo_before] transfer [dbo].[outbox];

-- The outbox. Append only: the connector publishes inserts and nothing else.
-- Its rows lie in the order in which they were written: those of a random id would be strewn over all pages.
if object_id(N'[dbo].[outbox]', N'U') is null
create table [dbo].[outbox] (
    [id] char(36) collate Latin1_General_100_BIN2 not null,
    [aggregatetype] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [aggregateid] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [type] nvarchar(255) collate Latin1_General_100_BIN2 not null,
    [payload] nvarchar(max) not null,
    [number] bigint identity(1, 1) not null,
    [created_at] datetimeoffset(6) default sysutcdatetime() not null,
    constraint [outbox_order] primary key clustered ([number]),
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
exec sys.sp_addextendedproperty N'MS_Description', N'grows with every event: header sequence', N'schema', N'dbo', N'table', N'outbox', N'column', N'number';
exec sys.sp_addextendedproperty N'MS_Description', N'for retention; not read by the router', N'schema', N'dbo', N'table', N'outbox', N'column', N'created_at';

-- a misspelt event would go to a topic that nobody reads
if object_id(N'[dbo].[outbox_event_is_declared_9ec64c]', N'C') is null
begin
    set @statement = (
        select string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(name) as nvarchar(max)), N'; ')
        from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]')
            and name = N'outbox_event_is_declared' + right(name, 7)
    );
    exec (@statement);
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_event_is_declared_9ec64c] check (concat([aggregatetype], nchar(10), [type], nchar(10)) in (concat(N''Order'', nchar(10), N''A'', nchar(10)), concat(N''outbox-kit.canary'', nchar(10), N''Canary'', nchar(10))))');
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

-- The rows, which nobody captures.
exec (N'set identity_insert [dbo].[outbox] on;
insert into [dbo].[outbox] ([id], [aggregatetype], [aggregateid], [type], [payload], [number], [created_at])
select o.[id], o.[aggregatetype], o.[aggregateid], o.[type], o.[payload], o.[sequence], o.[created_at]
from [dbo_before].[outbox] o;
set identity_insert [dbo].[outbox] off;
declare @next bigint = ident_current(N''[dbo_before].[outbox]'') + 1;
dbcc checkident (N''[dbo].[outbox]'', reseed, @next) with no_infomsgs;');

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
if suser_id(N'shop_outbox') is null
begin
    set @statement = N'create login [shop_outbox] with password = N''aA1!' + convert(nvarchar(60), crypt_gen_random(30), 2)
        + N'''; alter login [shop_outbox] disable';
    exec (@statement);
end;
if database_principal_id(N'shop_outbox') is null
    create user [shop_outbox] for login [shop_outbox];
-- Who may see the captured rows: this role, which is all that the connector's user is in.
if database_principal_id(N'shop_outbox_gate') is null
    create role [shop_outbox_gate];
alter role [shop_outbox_gate] add member [shop_outbox];
grant select on [dbo].[outbox] to [shop_outbox_gate];
grant select, update on [dbo].[outbox_heartbeat] to [shop_outbox_gate];
exec (@rights);
exec sys.sp_addextendedproperty N'outbox-kit', N'as of 2203b317d55c, by outbox-kit', N'schema', N'dbo', N'table', N'outbox';
commit transaction;
end;

-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_0fb5ba')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox',
        @capture_instance = N'dbo_outbox_0fb5ba', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_0fb5ba_CT] to [shop_outbox_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_heartbeat_348b11')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox_heartbeat',
        @capture_instance = N'dbo_outbox_heartbeat_348b11', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_heartbeat_348b11_CT] to [shop_outbox_gate];

grant select on cdc.change_tables to [shop_outbox_gate];
grant select on cdc.captured_columns to [shop_outbox_gate];
grant select on cdc.lsn_time_mapping to [shop_outbox_gate];

-- 2. outbox-kit deploy-connector --probe
--    when: before anybody writes again
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ snapshot.select.statement.overrides.[dbo].[outbox] = SELECT [id], [aggregatetype], [aggregateid], [type], [payload], [sequence] FROM [dbo].[outbox] ORDER BY [sequence] -> SELECT [id], [aggregatetype], [aggregateid], [type], [payload], [number] FROM [dbo].[outbox] ORDER BY [number]
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence -> type:header:eventType,aggregatetype:header:aggregateType,number:header:sequence [wire]

-- 3. drop the table as it was
--    when: when nobody asks for its rows any more
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- drop table if exists [dbo_before].[outbox];
-- drop schema if exists [dbo_before];
