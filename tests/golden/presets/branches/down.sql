-- The outbox of 'branches', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.

set names utf8mb4;
set session sql_mode = 'TRADITIONAL';
set session lock_wait_timeout = 10;
drop table if exists `bank`.`outbox_heartbeat`;
drop trigger if exists `dtm_barrier`.`outbox_feed`;
drop table if exists `bank`.`outbox`;
drop user if exists 'branches_outbox'@'%';
