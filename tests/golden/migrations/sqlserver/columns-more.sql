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

-- EXPAND: before the new code is deployed; the old code does not notice

-- 1. add 't', 'n', 'f', 'u', 'p', 'maybe'
--    when: before the new code is deployed
--    why: nullable, so that no row is rewritten and the code that does not know them can go on
if columnproperty(object_id(N'[dbo].[outbox]'), N't', N'ColumnId') is null
    exec (N'alter table [dbo].[outbox] add [t] nvarchar(255) collate Latin1_General_100_BIN2 null');
if columnproperty(object_id(N'[dbo].[outbox]'), N'n', N'ColumnId') is null
    exec (N'alter table [dbo].[outbox] add [n] bigint null');
if columnproperty(object_id(N'[dbo].[outbox]'), N'f', N'ColumnId') is null
    exec (N'alter table [dbo].[outbox] add [f] bit null');
if columnproperty(object_id(N'[dbo].[outbox]'), N'u', N'ColumnId') is null
    exec (N'alter table [dbo].[outbox] add [u] char(36) collate Latin1_General_100_BIN2 null');
if columnproperty(object_id(N'[dbo].[outbox]'), N'p', N'ColumnId') is null
    exec (N'alter table [dbo].[outbox] add [p] int null');
if columnproperty(object_id(N'[dbo].[outbox]'), N'maybe', N'ColumnId') is null
    exec (N'alter table [dbo].[outbox] add [maybe] nvarchar(255) collate Latin1_General_100_BIN2 null');

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
exec sys.sp_addextendedproperty N'MS_Description', N'header t', N'schema', N'dbo', N'table', N'outbox', N'column', N't';
exec sys.sp_addextendedproperty N'MS_Description', N'header n', N'schema', N'dbo', N'table', N'outbox', N'column', N'n';
exec sys.sp_addextendedproperty N'MS_Description', N'header f', N'schema', N'dbo', N'table', N'outbox', N'column', N'f';
exec sys.sp_addextendedproperty N'MS_Description', N'header u', N'schema', N'dbo', N'table', N'outbox', N'column', N'u';
exec sys.sp_addextendedproperty N'MS_Description', N'partition', N'schema', N'dbo', N'table', N'outbox', N'column', N'p';
exec sys.sp_addextendedproperty N'MS_Description', N'header maybe', N'schema', N'dbo', N'table', N'outbox', N'column', N'maybe';
exec sys.sp_addextendedproperty N'MS_Description', N'for retention; not read by the router', N'schema', N'dbo', N'table', N'outbox', N'column', N'created_at';

-- 2. capture the columns that there are now
--    when: before the new code is deployed
--    why: a capture keeps the columns that its table had; the connector goes over to the newer one by itself
-- A table can have two: where there are two already, drop the older one before.

-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_389f26')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox',
        @capture_instance = N'dbo_outbox_389f26', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_389f26_CT] to [shop_outbox_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_heartbeat_348b11')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox_heartbeat',
        @capture_instance = N'dbo_outbox_heartbeat_348b11', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_heartbeat_348b11_CT] to [shop_outbox_gate];

grant select on cdc.change_tables to [shop_outbox_gate];
grant select on cdc.captured_columns to [shop_outbox_gate];
grant select on cdc.lsn_time_mapping to [shop_outbox_gate];

-- MIGRATE: while both may write

-- 3. fill 't', 'n', 'f', 'u', 'p'
--    when: after the last old writer is gone; before that where it is only a new name
--    why: rows from before have nothing there; put in what you know better than this script does
-- The capture takes two rows for each: the connector publishes none of them, and warns of each. Where it is 4,000 at a
-- time: 5,000 locks would become one on the whole table, and the log is read in the pauses.
exec (N'update top (4000) [dbo].[outbox] set [t] = N'''' where [t] is null;
while @@rowcount = 4000
begin
    waitfor delay ''00:00:01'';
    update top (4000) [dbo].[outbox] set [t] = N'''' where [t] is null;
end');
exec (N'update top (4000) [dbo].[outbox] set [n] = N''0'' where [n] is null;
while @@rowcount = 4000
begin
    waitfor delay ''00:00:01'';
    update top (4000) [dbo].[outbox] set [n] = N''0'' where [n] is null;
end');
exec (N'update top (4000) [dbo].[outbox] set [f] = 0 where [f] is null;
while @@rowcount = 4000
begin
    waitfor delay ''00:00:01'';
    update top (4000) [dbo].[outbox] set [f] = 0 where [f] is null;
end');
exec (N'update top (4000) [dbo].[outbox] set [u] = N''00000000-0000-0000-0000-000000000000'' where [u] is null;
while @@rowcount = 4000
begin
    waitfor delay ''00:00:01'';
    update top (4000) [dbo].[outbox] set [u] = N''00000000-0000-0000-0000-000000000000'' where [u] is null;
end');
exec (N'update top (4000) [dbo].[outbox] set [p] = N''0'' where [p] is null;
while @@rowcount = 4000
begin
    waitfor delay ''00:00:01'';
    update top (4000) [dbo].[outbox] set [p] = N''0'' where [p] is null;
end');

-- 4. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ snapshot.select.statement.overrides.[dbo].[outbox] = SELECT [id], [aggregatetype], [aggregateid], [type], [payload], [sequence] FROM [dbo].[outbox] ORDER BY [sequence] -> SELECT [id], [aggregatetype], [aggregateid], [type], [payload], [sequence], [t], [n], [f], [u], [p], [maybe] FROM [dbo].[outbox] ORDER BY [sequence]
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence -> type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,t:header:t,n:header:n,f:header:f,u:header:u,p:partition,maybe:header:maybe [wire]

-- CONTRACT: when nobody needs the old any more

-- 5. require 't', 'n', 'f', 'u', 'p'
--    when: after the last old writer is gone
--    why: no row may lack it any more; those that do must be filled, or gone, before
-- A row that lacks one fails it: fill those first.
-- The CHECKs that name a column are out of its way within the transaction, and there again as they were.
if columnproperty(object_id(N'[dbo].[outbox]'), N't', N'AllowsNull') = 1
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [t] nvarchar(255) collate Latin1_General_100_BIN2 not null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[t]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;
if columnproperty(object_id(N'[dbo].[outbox]'), N'n', N'AllowsNull') = 1
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [n] bigint not null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[n]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;
if columnproperty(object_id(N'[dbo].[outbox]'), N'f', N'AllowsNull') = 1
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [f] bit not null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[f]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;
if columnproperty(object_id(N'[dbo].[outbox]'), N'u', N'AllowsNull') = 1
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [u] char(36) collate Latin1_General_100_BIN2 not null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[u]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;
if columnproperty(object_id(N'[dbo].[outbox]'), N'p', N'AllowsNull') = 1
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [p] int not null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[p]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;

-- 6. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then
-- All rows are looked at meanwhile, and who writes waits.

-- the producer refuses a partition that the topic does not have
if not exists (select 1 from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]') and name = N'outbox_partition_exists' + right(name, 7))
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_partition_exists_5e1065] check ([p] between 0 and 5)');

-- 7. drop the older capture
--    when: after the connector has passed a row of the newer one (outbox-kit status)
--    why: the connector misses it once, and starts again by itself
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- if exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_5d65f3')
--     exec sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'outbox',
--         @capture_instance = N'dbo_outbox_5d65f3';
