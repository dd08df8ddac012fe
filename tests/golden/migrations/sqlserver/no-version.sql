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

-- 1. drop the index 'version'
--    when: before the new code is deployed
alter table [dbo].[outbox] drop constraint if exists [outbox_version];

-- 2. let 'version' be null
--    when: before the new code is deployed
--    why: code that leaves it out must not fail
-- The CHECKs that name a column are out of its way within the transaction, and there again as they were.
if columnproperty(object_id(N'[dbo].[outbox]'), N'version', N'AllowsNull') = 0
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [version] bigint null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[version]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;

-- 3. capture the columns that there are now
--    when: before the new code is deployed
--    why: a capture keeps the columns that its table had; the connector goes over to the newer one by itself
-- A table can have two: where there are two already, drop the older one before.

-- The capture: a job of the Agent copies what is committed from the log into tables of the schema cdc.
if (select is_cdc_enabled from sys.databases where database_id = db_id()) = 0
    exec sys.sp_cdc_enable_db;
-- Each keeps the columns that its table has now. When they change, another one is made beside it, and the connector
-- goes over to that by itself; the old one can go then: exec sys.sp_cdc_disable_table.
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_d909eb')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox',
        @capture_instance = N'dbo_outbox_d909eb', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_d909eb_CT] to [shop_outbox_gate];
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_heartbeat_348b11')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox_heartbeat',
        @capture_instance = N'dbo_outbox_heartbeat_348b11', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_heartbeat_348b11_CT] to [shop_outbox_gate];

grant select on cdc.change_tables to [shop_outbox_gate];
grant select on cdc.captured_columns to [shop_outbox_gate];
grant select on cdc.lsn_time_mapping to [shop_outbox_gate];

-- MIGRATE: while both may write

-- 4. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ snapshot.select.statement.overrides.[dbo].[outbox] = SELECT [id], [aggregatetype], [aggregateid], [type], [payload], [version] FROM [dbo].[outbox] ORDER BY [version] -> SELECT [id], [aggregatetype], [aggregateid], [type], [payload] FROM [dbo].[outbox] ORDER BY [created_at]
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,version:header:sequence -> type:header:eventType,aggregatetype:header:aggregateType [wire]

-- CONTRACT: when nobody needs the old any more

-- 5. drop 'version'
--    when: after the last old writer is gone, and after the connector runs with its new config
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- alter table [dbo].[outbox] drop column if exists [version];

-- 6. drop the older capture
--    when: after the connector has passed a row of the newer one (outbox-kit status)
--    why: the connector misses it once, and starts again by itself
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- if exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_87448b')
--     exec sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'outbox',
--         @capture_instance = N'dbo_outbox_87448b';
