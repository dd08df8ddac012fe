-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
set session lock_wait_timeout = 10;

-- CONTRACT: when nobody needs the old any more

-- 1. rewrite the table, while nobody can write: delete old rows before, so that it is short
--    when: when the expand phase has been run; who writes waits until it is done
--    why: a table becomes partitioned, or ceases to be, only by being written anew

-- The CHECKs that are no more; the others are added when the table is as they want it.
set @statement = (
    select if(count(*) = 0, 'do 0', concat('alter table `shop`.`outbox` ',
        group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`' separator ', ')))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and constraint_name not in ('no name', 'outbox_event_is_declared_8a70a4', 'outbox_key_is_not_empty_990f4b', 'outbox_payload_fits_8a74a6', 'outbox_id_is_a_uuid_64901a', 'outbox_payload_is_json_31ec37')
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- All in one statement, so that the table is rewritten once; each part is left out where it is done already.
set @known = (select concat(',', group_concat(column_name), ',') from information_schema.columns
    where table_schema = 'shop' and table_name = 'outbox');
set @keys = (select concat(';', group_concat(held separator ';'), ';') from (
    select concat(index_name, '=', group_concat(column_name order by seq_in_index)) as held from information_schema.statistics
    where table_schema = 'shop' and table_name = 'outbox' group by index_name) every);
set @parts = (select count(*) from information_schema.partitions
    where table_schema = 'shop' and table_name = 'outbox' and partition_name is not null);
set @clauses = concat_ws(', '
    , if(locate(',id,', @known), 'modify column `id` char(36) not null comment ''the event''''s id: header id, what consumers deduplicate by''', 'add column `id` char(36) not null comment ''the event''''s id: header id, what consumers deduplicate by''')
    , if(locate(',aggregatetype,', @known), 'modify column `aggregatetype` varchar(255) not null comment ''what changed''', 'add column `aggregatetype` varchar(255) not null comment ''what changed''')
    , if(locate(',aggregateid,', @known), 'modify column `aggregateid` varchar(255) not null comment ''which one changed: the message key''', 'add column `aggregateid` varchar(255) not null comment ''which one changed: the message key''')
    , if(locate(',type,', @known), 'modify column `type` varchar(255) not null comment ''what happened: header eventType''', 'add column `type` varchar(255) not null comment ''what happened: header eventType''')
    , if(locate(',payload,', @known), 'modify column `payload` longtext not null comment ''the event; kept byte for byte''', 'add column `payload` longtext not null comment ''the event; kept byte for byte''')
    , if(locate(',sequence,', @known), 'modify column `sequence` bigint not null auto_increment comment ''grows with every event: header sequence''', 'add column `sequence` bigint not null auto_increment comment ''grows with every event: header sequence''')
    , if(locate(',created_at,', @known), 'modify column `created_at` timestamp(6) not null default current_timestamp(6) comment ''for retention; not read by the router''', 'add column `created_at` timestamp(6) not null default current_timestamp(6) comment ''for retention; not read by the router''')
    , if(locate(';PRIMARY=', @keys) and not locate(';PRIMARY=sequence,created_at;', @keys), 'drop primary key', null)
    , if(locate(';event=', @keys) and not locate(';event=id,created_at;', @keys), 'drop index `event`', null)
    , if(locate(';version=', @keys) and not locate(';version=;', @keys), 'drop index `version`', null)
    , if(locate(';age=', @keys) and not locate(';age=;', @keys), 'drop index `age`', null)
    , if(locate(';PRIMARY=sequence,created_at;', @keys), null, 'add primary key (`sequence`, `created_at`)')
    , if(locate(';event=id,created_at;', @keys), null, 'add unique key `event` (`id`, `created_at`)')
);
set @statement = concat('alter table `shop`.`outbox` ', @clauses,
    if(@parts, '', ' partition by range (floor(unix_timestamp(`created_at`))) (partition `other` values less than maxvalue)'));
prepare one from @statement;
execute one;
deallocate prepare one;

-- What is left is what gen-ddl makes.
-- The outbox. Append only: the connector publishes inserts and nothing else.
-- Its rows lie in the order of their numbers: those of a random id would be strewn over all pages.
create table if not exists `shop`.`outbox` (
    `id` char(36) not null comment 'the event''s id: header id, what consumers deduplicate by',
    `aggregatetype` varchar(255) not null comment 'what changed',
    `aggregateid` varchar(255) not null comment 'which one changed: the message key',
    `type` varchar(255) not null comment 'what happened: header eventType',
    `payload` longtext not null comment 'the event; kept byte for byte',
    `sequence` bigint not null auto_increment comment 'grows with every event: header sequence',
    `created_at` timestamp(6) not null default current_timestamp(6) comment 'for retention; not read by the router',
    primary key (`sequence`, `created_at`),
    unique key `event` (`id`, `created_at`)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_0900_bin
partition by range (floor(unix_timestamp(`created_at`))) (partition `other` values less than maxvalue);

-- One partition a day, made a fortnight ahead each time this script runs; a row for any other day goes to the last.
set @days = (
    with recursive ahead (n) as (select 0 union all select n + 1 from ahead where n < 14),
    newest (day) as (select coalesce(max(substr(partition_name, 2)), '') from information_schema.partitions
        where table_schema = 'shop' and table_name = 'outbox' and partition_name like 'p%')
    select group_concat('partition p', date_format(utc_date() + interval n day, '%Y%m%d'), ' values less than (',
        floor(unix_timestamp(utc_date() + interval n + 1 day)), ')' order by n separator ', ')
    from ahead, newest where date_format(utc_date() + interval n day, '%Y%m%d') > newest.day
);
set @statement = if(@days is null, 'do 0', concat('alter table `shop`.`outbox` reorganize partition `other` into (',
    @days, ', partition `other` values less than maxvalue)'));
prepare one from @statement;
execute one;
deallocate prepare one;

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_event_is_declared_8a70a4'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_event_is_declared_8a70a4` check ((`aggregatetype`, `type`) in ((''Order'', ''A''), (''outbox-kit.canary'', ''Canary'')))'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_event_is_declared'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- all events with an empty key share one partition and one order
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_key_is_not_empty_990f4b'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_key_is_not_empty_990f4b` check (concat(`aggregateid`) <> '''')'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_key_is_not_empty'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_payload_fits_8a74a6'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_payload_fits_8a74a6` check (octet_length(concat(`payload`)) between 1 and 900000)'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_payload_fits'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- lower case, so that one id is one text wherever it is compared
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_id_is_a_uuid_64901a'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_id_is_a_uuid_64901a` check (`id` regexp ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'')'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_id_is_a_uuid'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- consumers read it as what the contract says
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_payload_is_json_31ec37'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_payload_is_json_31ec37` check (json_valid(`payload`))'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_payload_is_json'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within the log that the server keeps.
create table if not exists `shop`.`outbox_heartbeat` (
    id int primary key,
    beat_at timestamp(6) not null default current_timestamp(6)
) engine = InnoDB;

-- The connector's user: it may stream the log, take the one lock that the first read begins with, read these two
-- tables and beat. It is locked until it gets a password, apart from this script:
--   alter user ... identified by '...' account unlock
create user if not exists 'shop_outbox'@'%' account lock;
grant replication slave, replication client, flush_tables on *.* to 'shop_outbox'@'%';
grant select on `shop`.`outbox` to 'shop_outbox'@'%';
grant select, insert, update on `shop`.`outbox_heartbeat` to 'shop_outbox'@'%';
