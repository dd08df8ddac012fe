-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
set session lock_wait_timeout = 10;

-- EXPAND: before the new code is deployed; the old code does not notice

-- 1. let the CHECKs pass what both may write
--    when: before the new code is deployed
--    why: rows that only the new code writes must not be refused
-- This server copies the table for a CHECK, and looks at all rows meanwhile.

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_event_is_declared_8a70a4'), 0) = 0, 'do 0', 'alter table `shop`.`outbox` drop constraint `outbox_event_is_declared_8a70a4`, add constraint `outbox_event_is_declared_beb402` check ((`aggregatetype`, `type`) in ((''Order'', ''A''), (''Order'', ''It''''s B''), (''outbox-kit.canary'', ''Canary'')))')
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_event_is_declared'
);
prepare one from @statement;
execute one;
deallocate prepare one;
