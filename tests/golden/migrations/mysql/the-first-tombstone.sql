-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
set session lock_wait_timeout = 10;

-- EXPAND: before the new code is deployed; the old code does not notice

-- 1. let 'payload' be null
--    when: before the new code is deployed
--    why: code that leaves it out must not fail
set @statement = (
    select if(count(*) > 0, 'alter table `shop`.`outbox` modify column `payload` longtext null comment ''the event; kept byte for byte''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 'payload'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- 2. let the CHECKs pass what both may write
--    when: before the new code is deployed
--    why: rows that only the new code writes must not be refused
-- This server copies the table for a CHECK, and looks at all rows meanwhile.

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_event_is_declared_8a70a4'), 0) = 0, 'do 0', 'alter table `shop`.`outbox` drop constraint `outbox_event_is_declared_8a70a4`, add constraint `outbox_event_is_declared_a1a166` check ((`aggregatetype`, `type`) in ((''Order'', ''A''), (''Order'', ''Gone''), (''outbox-kit.canary'', ''Canary'')))')
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_event_is_declared'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- MIGRATE: while both may write

-- 3. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ transforms.outbox.route.tombstone.on.empty.payload = false -> true [wire]

-- CONTRACT: when nobody needs the old any more

-- 4. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then
-- This server copies the table for a CHECK, and looks at all rows meanwhile.

-- only the events declared as tombstones have no payload
set @statement = (
    select if(count(*) > 0, 'do 0', 'alter table `shop`.`outbox` add constraint `outbox_null_payload_is_a_tombstone_402667` check ((`payload` is null) = (`type` in (''Gone'')))')
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_null_payload_is_a_tombstone'
);
prepare one from @statement;
execute one;
deallocate prepare one;
