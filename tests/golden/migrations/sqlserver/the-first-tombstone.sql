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

-- 1. let 'payload' be null
--    when: before the new code is deployed
--    why: code that leaves it out must not fail
-- The CHECKs that name a column are out of its way within the transaction, and there again as they were.
if columnproperty(object_id(N'[dbo].[outbox]'), N'payload', N'AllowsNull') = 0
begin
    set @statement = (
        select concat(
            string_agg(cast(N'alter table [dbo].[outbox] drop constraint ' + quotename(held.name) + N'; ' as nvarchar(max)), N''),
            N'alter table [dbo].[outbox] alter column [payload] nvarchar(max) null; ',
            string_agg(cast(N'alter table [dbo].[outbox] with check add constraint ' + quotename(held.name) + N' check ' + held.[definition] + N'; ' as nvarchar(max)), N''))
        from sys.check_constraints held
        where held.parent_object_id = object_id(N'[dbo].[outbox]') and charindex(N'[payload]', held.[definition]) > 0
    );
    begin transaction;
    exec (@statement);
    commit transaction;
end;

-- 2. let the CHECKs pass what both may write
--    when: before the new code is deployed
--    why: rows that only the new code writes must not be refused
-- All rows are looked at meanwhile, and who writes waits.

-- a misspelt event would go to a topic that nobody reads
if object_id(N'[dbo].[outbox_event_is_declared_9ec64c]', N'C') is not null
begin
    begin transaction;
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_event_is_declared_48b70f] check (concat([aggregatetype], nchar(10), [type], nchar(10)) in (concat(N''Order'', nchar(10), N''A'', nchar(10)), concat(N''Order'', nchar(10), N''Gone'', nchar(10)), concat(N''outbox-kit.canary'', nchar(10), N''Canary'', nchar(10))))');
    exec (N'alter table [dbo].[outbox] drop constraint [outbox_event_is_declared_9ec64c]');
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
if not exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_369356')
    exec sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'outbox',
        @capture_instance = N'dbo_outbox_369356', @role_name = N'shop_outbox_gate', @supports_net_changes = 0;
grant select on [cdc].[dbo_outbox_369356_CT] to [shop_outbox_gate];
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
--   ~ transforms.outbox.route.tombstone.on.empty.payload = false -> true [wire]

-- CONTRACT: when nobody needs the old any more

-- 5. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then
-- All rows are looked at meanwhile, and who writes waits.

-- only the events declared as tombstones have no payload
if not exists (select 1 from sys.check_constraints where parent_object_id = object_id(N'[dbo].[outbox]') and name = N'outbox_null_payload_is_a_tombstone' + right(name, 7))
    exec (N'alter table [dbo].[outbox] with check add constraint [outbox_null_payload_is_a_tombstone_e2786e] check (iif([payload] is null, 1, 0) = iif([type] in (N''Gone''), 1, 0))');

-- 6. drop the older capture
--    when: after the connector has passed a row of the newer one (outbox-kit status)
--    why: the connector misses it once, and starts again by itself
--    note: DESTRUCTIVE; repeat with --allow-destructive to have it written
-- if exists (select 1 from cdc.change_tables where capture_instance = N'dbo_outbox_5d65f3')
--     exec sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'outbox',
--         @capture_instance = N'dbo_outbox_5d65f3';
