-- The outbox of 'odd', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.

-- The binary log must hold whole rows: log_bin=ON, server_id above 0, binlog_format=ROW, binlog_row_image=FULL, and
-- kept for longer than any outage of the connector (binlog_expire_logs_seconds).
-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us.
set session lock_wait_timeout = 10;

-- The outbox. Append only: the connector publishes inserts and nothing else.
create table if not exists `odd``Db`.`sel``ect` (
    `order` char(36) not null comment 'the event''s id: header id, what consumers deduplicate by: the message key',
    `group` varchar(255) not null comment 'what changed',
    `user` varchar(255) not null comment 'which one changed',
    `table` varchar(255) not null comment 'what happened: header eventType',
    `where` longblob not null comment 'the event, serialised',
    `version` bigint not null comment 'the aggregate''s version: 1, 2, 3: header sequence',
    `destination` varchar(255) not null comment 'header destination',
    `slot` int not null comment 'partition',
    `At` timestamp(6) not null default current_timestamp(6) comment 'for retention; not read by the router',
    primary key (`order`, `At`)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_0900_bin
partition by range (floor(unix_timestamp(`At`))) (partition `other` values less than maxvalue);

-- One partition a day, made a fortnight ahead each time this script runs; a row for any other day goes to the last.
set @days = (
    with recursive ahead (n) as (select 0 union all select n + 1 from ahead where n < 14),
    newest (day) as (select coalesce(max(substr(partition_name, 2)), '') from information_schema.partitions
        where table_schema = 'odd`Db' and table_name = 'sel`ect' and partition_name like 'p%')
    select group_concat('partition p', date_format(utc_date() + interval n day, '%Y%m%d'), ' values less than (',
        floor(unix_timestamp(utc_date() + interval n + 1 day)), ')' order by n separator ', ')
    from ahead, newest where date_format(utc_date() + interval n day, '%Y%m%d') > newest.day
);
set @statement = if(@days is null, 'do 0', concat('alter table `odd``Db`.`sel``ect` reorganize partition `other` into (',
    @days, ', partition `other` values less than maxvalue)'));
prepare one from @statement;
execute one;
deallocate prepare one;

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'sel`ect_event_is_declared_4d47e7'), 0) > 0, 'do 0',
        concat('alter table `odd``Db`.`sel``ect` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `sel``ect_event_is_declared_4d47e7` check ((`group`, `table`) in ((''Order'', ''It''''s \\\\ placed''), (''outbox-kit.canary'', ''Canary'')))'))
    from information_schema.table_constraints
    where constraint_schema = 'odd`Db' and table_name = 'sel`ect' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'sel`ect_event_is_declared'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- the router puts the value into the topic's name unchecked, and the task dies of a bad one
set @statement = (
    select if(coalesce(sum(constraint_name = 'sel`ect_route_is_topic_safe_de8a76'), 0) > 0, 'do 0',
        concat('alter table `odd``Db`.`sel``ect` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `sel``ect_route_is_topic_safe_de8a76` check (`destination` regexp ''^[A-Za-z0-9._-]{1,200}\\\\z'')'))
    from information_schema.table_constraints
    where constraint_schema = 'odd`Db' and table_name = 'sel`ect' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'sel`ect_route_is_topic_safe'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- all events with an empty key share one partition and one order
set @statement = (
    select if(coalesce(sum(constraint_name = 'sel`ect_key_is_not_empty_5d1641'), 0) > 0, 'do 0',
        concat('alter table `odd``Db`.`sel``ect` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `sel``ect_key_is_not_empty_5d1641` check (concat(`order`) <> '''')'))
    from information_schema.table_constraints
    where constraint_schema = 'odd`Db' and table_name = 'sel`ect' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'sel`ect_key_is_not_empty'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
set @statement = (
    select if(coalesce(sum(constraint_name = 'sel`ect_payload_fits_a1a994'), 0) > 0, 'do 0',
        concat('alter table `odd``Db`.`sel``ect` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `sel``ect_payload_fits_a1a994` check (octet_length(`where`) between 1 and 900000)'))
    from information_schema.table_constraints
    where constraint_schema = 'odd`Db' and table_name = 'sel`ect' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'sel`ect_payload_fits'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- lower case, so that one id is one text wherever it is compared
set @statement = (
    select if(coalesce(sum(constraint_name = 'sel`ect_id_is_a_uuid_a7d006'), 0) > 0, 'do 0',
        concat('alter table `odd``Db`.`sel``ect` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `sel``ect_id_is_a_uuid_a7d006` check (`order` regexp ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'')'))
    from information_schema.table_constraints
    where constraint_schema = 'odd`Db' and table_name = 'sel`ect' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'sel`ect_id_is_a_uuid'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- the producer refuses a partition that the topic does not have
set @statement = (
    select if(coalesce(sum(constraint_name = 'sel`ect_partition_exists_47981a'), 0) > 0, 'do 0',
        concat('alter table `odd``Db`.`sel``ect` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `sel``ect_partition_exists_47981a` check (`slot` between 0 and 5)'))
    from information_schema.table_constraints
    where constraint_schema = 'odd`Db' and table_name = 'sel`ect' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'sel`ect_partition_exists'
);
prepare one from @statement;
execute one;
deallocate prepare one;


-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within the log that the server keeps.
create table if not exists `odd``Db`.`sel``ect_heartbeat` (
    id int primary key,
    beat_at timestamp(6) not null default current_timestamp(6)
) engine = InnoDB;


-- The connector's user: it may stream the log, take the one lock that the first read begins with, read these two
-- tables and beat. It is locked until it gets a password, apart from this script:
--   alter user ... identified by '...' account unlock
create user if not exists 'odd_cdc'@'%' account lock;
grant replication slave, replication client, flush_tables on *.* to 'odd_cdc'@'%';
grant select on `odd``Db`.`sel``ect` to 'odd_cdc'@'%';
grant select, insert, update on `odd``Db`.`sel``ect_heartbeat` to 'odd_cdc'@'%';

-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.
