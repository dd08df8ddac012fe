-- The outbox of 'odd', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.

set nocount, xact_abort on;
set ansi_nulls, ansi_padding, ansi_warnings, arithabort, concat_null_yields_null, quoted_identifier on;
set numeric_roundabort off;
-- A lock that is not to be had must not make the application queue up behind us.
set lock_timeout 10000;
use [odd]]Db];
declare @statement nvarchar(max);

-- Change data capture itself stays on in the database: other tables may need it.
if exists (select 1 from sys.tables where object_id = object_id(N'[sa les].[sel]]ect''s]') and is_tracked_by_cdc = 1)
    exec sys.sp_cdc_disable_table @source_schema = N'sa les', @source_name = N'sel]ect''s', @capture_instance = N'all';
if exists (select 1 from sys.tables where object_id = object_id(N'[sa les].[sel]]ect''s_heartbeat]') and is_tracked_by_cdc = 1)
    exec sys.sp_cdc_disable_table @source_schema = N'sa les', @source_name = N'sel]ect''s_heartbeat', @capture_instance = N'all';

begin transaction;
drop table if exists [sa les].[sel]]ect's_heartbeat];
drop table if exists [sa les].[sel]]ect's];
drop user if exists [odd_cdc];
drop role if exists [odd_cdc_gate];
if suser_id(N'odd_cdc') is not null
    drop login [odd_cdc];
commit transaction;
