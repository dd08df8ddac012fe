-- The outbox of 'selling', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes what was added beside its owner's table. Remove the connector first.

set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
set numeric_roundabort off;
-- A lock that is not to be had must not make the application queue up behind us.
set lock_timeout 10000;
use [selling];
declare @statement nvarchar(max);

-- Change data capture itself stays on in the database: other tables may need it.
if exists (select 1 from sys.tables where object_id = object_id(N'[sales].[OutboxMessage]') and is_tracked_by_cdc = 1)
begin
    -- those that are for the connector's role, and nobody else's
    set @statement = (
        select string_agg(cast(N'exec sys.sp_cdc_disable_table N''sales'', N''OutboxMessage'', N'''
            + replace(capture_instance, N'''', N'''''') + N'''' as nvarchar(max)), N'; ')
        from cdc.change_tables where source_object_id = object_id(N'[sales].[OutboxMessage]')
            and role_name = N'selling_outbox_gate'
    );
    exec (@statement);
end;
if exists (select 1 from sys.tables where object_id = object_id(N'[sales].[OutboxMessage_heartbeat]') and is_tracked_by_cdc = 1)
    exec sys.sp_cdc_disable_table @source_schema = N'sales', @source_name = N'OutboxMessage_heartbeat', @capture_instance = N'all';

begin transaction;
drop table if exists [sales].[OutboxMessage_heartbeat];
drop user if exists [selling_outbox];
drop role if exists [selling_outbox_gate];
if suser_id(N'selling_outbox') is not null
    drop login [selling_outbox];
commit transaction;
