-- The outbox of 'orders-maria', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.

-- The binary log must hold whole rows: log_bin=ON, server_id above 0, binlog_format=ROW, binlog_row_image=FULL, and
-- kept for longer than any outage of the connector (binlog_expire_logs_seconds).
-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us.
set session lock_wait_timeout = 10;

-- The outbox. Append only: the connector publishes inserts and nothing else.
-- Its rows lie in the order of their numbers: those of a random id would be strewn over all pages.
create table if not exists `shop`.`outbox` (
    `id` char(36) not null comment 'the event''s id: header id, what consumers deduplicate by',
    `aggregatetype` varchar(255) not null comment 'what changed',
    `aggregateid` varchar(255) not null comment 'which one changed: the message key',
    `type` varchar(255) not null comment 'what happened: header eventType',
    `payload` longtext null comment 'the event; kept byte for byte',
    `sequence` bigint not null auto_increment comment 'grows with every event: header sequence',
    `tenant` varchar(255) not null comment 'header tenantId',
    `urgent` bit(1) not null comment 'header urgent',
    `created_at` timestamp(6) not null default current_timestamp(6) comment 'for retention; not read by the router',
    primary key (`sequence`),
    unique key `event` (`id`),
    key `age` (`created_at`) -- finds the rows that are old enough to go
) engine = InnoDB default character set utf8mb4 collate utf8mb4_nopad_bin
;

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_event_is_declared_a7ce9e'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_event_is_declared_a7ce9e` check ((`aggregatetype`, `type`) in ((''Order'', ''OrderDeleted''), (''Order'', ''OrderPlaced''), (''outbox-kit.canary'', ''Canary'')))'))
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

-- only the events declared as tombstones have no payload
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_null_payload_is_a_tombstone_e66c89'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_null_payload_is_a_tombstone_e66c89` check ((`payload` is null) = (`type` in (''OrderDeleted'')))'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_null_payload_is_a_tombstone'
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
create user if not exists 'orders_maria_outbox'@'%' account lock;
grant replication slave, binlog monitor, reload on *.* to 'orders_maria_outbox'@'%';
grant select on `shop`.`outbox` to 'orders_maria_outbox'@'%';
grant select, insert, update on `shop`.`outbox_heartbeat` to 'orders_maria_outbox'@'%';

-- The application: it may add events, and no more.
grant insert on `shop`.`outbox` to 'shop';
grant insert on `shop`.`outbox` to 'batch'@'10.0.%';
