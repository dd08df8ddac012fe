-- The outbox of 'invoicing', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.

set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
set numeric_roundabort off;
-- A lock that is not to be had must not make the application queue up behind us.
set lock_timeout 10000;
use [invoicing];
declare @statement nvarchar(max);

-- Change data capture itself stays on in the database: other tables may need it.
if exists (select 1 from sys.tables where object_id = object_id(N'[dbo].[outbox]') and is_tracked_by_cdc = 1)
    exec sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'outbox', @capture_instance = N'all';
if exists (select 1 from sys.tables where object_id = object_id(N'[dbo].[outbox_heartbeat]') and is_tracked_by_cdc = 1)
    exec sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'outbox_heartbeat', @capture_instance = N'all';

begin transaction;
drop table if exists [dbo].[outbox_heartbeat];
drop trigger if exists [nsb].[outbox_feed];
drop table if exists [dbo].[outbox];
drop user if exists [invoicing_outbox];
drop role if exists [invoicing_outbox_gate];
if suser_id(N'invoicing_outbox') is not null
    drop login [invoicing_outbox];
commit transaction;
