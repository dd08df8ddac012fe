-- The outbox of 'branches', written by outbox-kit 0.1.0 from its schema file.
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
create table if not exists `bank`.`outbox` (
    `id` char(36) not null comment 'the event''s id: header id, what consumers deduplicate by',
    `aggregatetype` varchar(255) not null comment 'what changed',
    `aggregateid` varchar(255) not null comment 'which one changed: the message key',
    `type` varchar(255) not null comment 'what happened: header eventType',
    `payload` longtext not null comment 'the event; kept byte for byte',
    `sequence` bigint not null auto_increment comment 'grows with every event: header sequence',
    `created_at` timestamp(6) not null default current_timestamp(6) comment 'for retention; not read by the router',
    primary key (`sequence`),
    unique key `event` (`id`),
    key `age` (`created_at`) -- finds the rows that are old enough to go
) engine = InnoDB default character set utf8mb4 collate utf8mb4_0900_bin
;

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_event_is_declared_019169'), 0) > 0, 'do 0',
        concat('alter table `bank`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_event_is_declared_019169` check ((`aggregatetype`, `type`) in ((''Branch'', ''committed''), (''Branch'', ''rollback''), (''outbox-kit.canary'', ''Canary'')))'))
    from information_schema.table_constraints
    where constraint_schema = 'bank' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_event_is_declared'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- all events with an empty key share one partition and one order
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_key_is_not_empty_990f4b'), 0) > 0, 'do 0',
        concat('alter table `bank`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_key_is_not_empty_990f4b` check (concat(`aggregateid`) <> '''')'))
    from information_schema.table_constraints
    where constraint_schema = 'bank' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_key_is_not_empty'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_payload_fits_8a74a6'), 0) > 0, 'do 0',
        concat('alter table `bank`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_payload_fits_8a74a6` check (octet_length(concat(`payload`)) between 1 and 900000)'))
    from information_schema.table_constraints
    where constraint_schema = 'bank' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_payload_fits'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- lower case, so that one id is one text wherever it is compared
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_id_is_a_uuid_64901a'), 0) > 0, 'do 0',
        concat('alter table `bank`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_id_is_a_uuid_64901a` check (`id` regexp ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'')'))
    from information_schema.table_constraints
    where constraint_schema = 'bank' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_id_is_a_uuid'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- consumers read it as what the contract says
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_payload_is_json_31ec37'), 0) > 0, 'do 0',
        concat('alter table `bank`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_payload_is_json_31ec37` check (json_valid(`payload`))'))
    from information_schema.table_constraints
    where constraint_schema = 'bank' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_payload_is_json'
);
prepare one from @statement;
execute one;
deallocate prepare one;


-- The heartbeat: a row that changes now and then moves the connector's position on while the outbox is idle, so that
-- it stays within the log that the server keeps.
create table if not exists `bank`.`outbox_heartbeat` (
    id int primary key,
    beat_at timestamp(6) not null default current_timestamp(6)
) engine = InnoDB;


-- The connector's user: it may stream the log, take the one lock that the first read begins with, read these two
-- tables and beat. It is locked until it gets a password, apart from this script:
--   alter user ... identified by '...' account unlock
create user if not exists 'branches_outbox'@'%' account lock;
grant replication slave, replication client, flush_tables on *.* to 'branches_outbox'@'%';
grant select on `bank`.`outbox` to 'branches_outbox'@'%';
grant select, insert, update on `bank`.`outbox_heartbeat` to 'branches_outbox'@'%';

-- The application needs INSERT on the outbox: it is granted here to the users whom database.writers names.


-- The feed: a new row of `dtm_barrier`.`barrier` becomes an event.
-- It is a trigger that writes, because a view has no log that could be captured. It works in the owner's transaction: what
-- breaks a rule of the outbox takes the owner's row with it. What is no event of the schema file is passed over. The lock
-- keeps rows out while there is no trigger.
lock tables `dtm_barrier`.`barrier` write;
drop trigger if exists `dtm_barrier`.`outbox_feed`;
create trigger `dtm_barrier`.`outbox_feed` after insert on `dtm_barrier`.`barrier` for each row
    insert into `bank`.`outbox` (`id`, `aggregatetype`, `aggregateid`, `type`, `payload`)
    select `id`, `aggregatetype`, `aggregateid`, `type`, `payload` from (
        select
            insert(insert(insert(insert(left(sha2(uuid(), 256), 32), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-') as `id`,
            ('Branch') as `aggregatetype`,
            (new.gid) as `aggregateid`,
            (new.reason) as `type`,
            (json_object('trans_type', new.trans_type, 'gid', new.gid, 'branch_id', new.branch_id, 'op', new.op, 'barrier_id', new.barrier_id, 'reason', new.reason)) as `payload`
    ) as given
    where (`aggregatetype`, `type`) in (('Branch', 'committed'), ('Branch', 'rollback'));
unlock tables;
