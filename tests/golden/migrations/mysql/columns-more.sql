-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
set session lock_wait_timeout = 10;

-- EXPAND: before the new code is deployed; the old code does not notice

-- 1. add 't', 'n', 'f', 'u', 'p', 'maybe'
--    when: before the new code is deployed
--    why: nullable, so that no row is rewritten and the code that does not know them can go on
set @statement = (
    select if(count(*) = 0, 'alter table `shop`.`outbox` add column `t` varchar(255) null comment ''header t''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 't'
);
prepare one from @statement;
execute one;
deallocate prepare one;
set @statement = (
    select if(count(*) = 0, 'alter table `shop`.`outbox` add column `n` bigint null comment ''header n''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 'n'
);
prepare one from @statement;
execute one;
deallocate prepare one;
set @statement = (
    select if(count(*) = 0, 'alter table `shop`.`outbox` add column `f` bit(1) null comment ''header f''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 'f'
);
prepare one from @statement;
execute one;
deallocate prepare one;
set @statement = (
    select if(count(*) = 0, 'alter table `shop`.`outbox` add column `u` char(36) null comment ''header u''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 'u'
);
prepare one from @statement;
execute one;
deallocate prepare one;
set @statement = (
    select if(count(*) = 0, 'alter table `shop`.`outbox` add column `p` int null comment ''partition''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 'p'
);
prepare one from @statement;
execute one;
deallocate prepare one;
set @statement = (
    select if(count(*) = 0, 'alter table `shop`.`outbox` add column `maybe` varchar(255) null comment ''header maybe''', 'do 0')
    from information_schema.columns where table_schema = 'shop' and table_name = 'outbox' and column_name = 'maybe'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- MIGRATE: while both may write

-- 2. fill 't', 'n', 'f', 'u', 'p'
--    when: after the last old writer is gone; before that where it is only a new name
--    why: rows from before have nothing there; put in what you know better than this script does
-- All at once; where the table is large, add LIMIT 5000 and repeat until no row is left. The connector passes over each
-- changed row with a warning.
update `shop`.`outbox` set `t` = '' where `t` is null;
update `shop`.`outbox` set `n` = '0' where `n` is null;
update `shop`.`outbox` set `f` = false where `f` is null;
update `shop`.`outbox` set `u` = '00000000-0000-0000-0000-000000000000' where `u` is null;
update `shop`.`outbox` set `p` = '0' where `p` is null;

-- 3. outbox-kit deploy-connector --probe
--    when: after the connector has passed the last row from before the expand phase (outbox-kit status), and before
--          anything is taken away
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence -> type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,t:header:t,n:header:n,f:header:f,u:header:u,p:partition,maybe:header:maybe [wire]

-- CONTRACT: when nobody needs the old any more

-- 4. require 't', 'n', 'f', 'u', 'p'
--    when: after the last old writer is gone
--    why: no row may lack it any more; those that do must be filled, or gone, before
alter table `shop`.`outbox` modify column `t` varchar(255) not null comment 'header t';
alter table `shop`.`outbox` modify column `n` bigint not null comment 'header n';
alter table `shop`.`outbox` modify column `f` bit(1) not null comment 'header f';
alter table `shop`.`outbox` modify column `u` char(36) not null comment 'header u';
alter table `shop`.`outbox` modify column `p` int not null comment 'partition';

-- 5. let the CHECKs pass only what the new code writes
--    when: after the last old writer is gone
--    why: what nobody may write any more; rows that break a rule must be gone by then
-- This server copies the table for a CHECK, and looks at all rows meanwhile.

-- the producer refuses a partition that the topic does not have
set @statement = (
    select if(count(*) > 0, 'do 0', 'alter table `shop`.`outbox` add constraint `outbox_partition_exists_73d2ae` check (`p` between 0 and 5)')
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_partition_exists'
);
prepare one from @statement;
execute one;
deallocate prepare one;
