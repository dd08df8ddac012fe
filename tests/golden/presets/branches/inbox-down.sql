-- The inbox of those who read the events of 'branches', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the inbox: what comes again will be handled again.

set names utf8mb4;
set session sql_mode = 'TRADITIONAL';
set session lock_wait_timeout = 10;
drop table if exists `inbox`;
drop role if exists 'branches_inbox';
