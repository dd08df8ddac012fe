-- The outbox of 'shop', from one schema file to the next, by outbox-kit 0.1.0.
-- Each statement stands alone, in no transaction around all of them, and can be run again.

-- This server cannot roll back DDL: each statement below stands alone, and can be run again.
set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00', session group_concat_max_len = 1000000;
-- A lock that is not to be had must not make the application queue up behind us: a step that fails by it is run again.
set session lock_wait_timeout = 10;

-- CONTRACT: when nobody needs the old any more

-- 1. rewrite the table, while nobody can write: delete old rows before, so that it is short
--    when: while nobody writes, and after the connector has passed the last row (outbox-kit status); then the
--          connector's new config, then the new code
--    why: 'aggregatetype' is called 'kind', and no trigger keeps both the same; 'aggregateid' is called 'the key', and
--          no trigger keeps both the same; 'type' is called 'it's', and no trigger keeps both the same; 'payload' is
--          called 'body', and no trigger keeps both the same; 'created_at' is called 'At', and no trigger keeps both
--          the same; 'tenant' is called 'who', and no trigger keeps both the same

-- The CHECKs that are no more; the others are added when the table is as they want it.
set @statement = (
    select if(count(*) = 0, 'do 0', concat('alter table `shop`.`outbox` ',
        group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`' separator ', ')))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and constraint_name not in ('no name', 'outbox_event_is_declared_b82443', 'outbox_key_is_not_empty_290a73', 'outbox_payload_fits_d3d062', 'outbox_id_is_a_uuid_64901a', 'outbox_payload_is_json_10486f')
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
    , if(locate(',aggregatetype,', @known), 'change column `aggregatetype` `kind` varchar(255) not null comment ''what changed''', null)
    , if(locate(',aggregateid,', @known), 'change column `aggregateid` `the key` varchar(255) not null comment ''which one changed: the message key''', null)
    , if(locate(',type,', @known), 'change column `type` `it''s` varchar(255) not null comment ''what happened: header eventType''', null)
    , if(locate(',payload,', @known), 'change column `payload` `body` longtext not null comment ''the event; kept byte for byte''', null)
    , if(locate(',sequence,', @known), 'modify column `sequence` bigint not null auto_increment comment ''grows with every event: header sequence''', 'add column `sequence` bigint not null auto_increment comment ''grows with every event: header sequence''')
    , if(locate(',tenant,', @known), 'change column `tenant` `who` varchar(255) not null comment ''header tenant''', null)
    , if(locate(',created_at,', @known), 'change column `created_at` `At` timestamp(6) not null default current_timestamp(6) comment ''for retention; not read by the router''', null)
    , if(locate(';PRIMARY=', @keys) and not locate(';PRIMARY=sequence;', @keys), 'drop primary key', null)
    , if(locate(';event=', @keys) and not locate(';event=id;', @keys), 'drop index `event`', null)
    , if(locate(';version=', @keys) and not locate(';version=;', @keys), 'drop index `version`', null)
    , if(locate(';age=', @keys) and not locate(';age=At;', @keys), 'drop index `age`', null)
    , if(locate(';PRIMARY=sequence;', @keys), null, 'add primary key (`sequence`)')
    , if(locate(';event=id;', @keys), null, 'add unique key `event` (`id`)')
    , if(locate(';age=At;', @keys), null, 'add key `age` (`At`)')
);
set @statement = concat('alter table `shop`.`outbox` ', @clauses,
    if(@parts, ' remove partitioning', ''));
prepare one from @statement;
execute one;
deallocate prepare one;

-- What is left is what gen-ddl makes.
-- The outbox. Append only: the connector publishes inserts and nothing else.
-- Its rows lie in the order of their numbers: those of a random id would be strewn over all pages.
create table if not exists `shop`.`outbox` (
    `id` char(36) not null comment 'the event''s id: header id, what consumers deduplicate by',
    `kind` varchar(255) not null comment 'what changed',
    `the key` varchar(255) not null comment 'which one changed: the message key',
    `it's` varchar(255) not null comment 'what happened: header eventType',
    `body` longtext not null comment 'the event; kept byte for byte',
    `sequence` bigint not null auto_increment comment 'grows with every event: header sequence',
    `who` varchar(255) not null comment 'header tenant',
    `At` timestamp(6) not null default current_timestamp(6) comment 'for retention; not read by the router',
    primary key (`sequence`),
    unique key `event` (`id`),
    key `age` (`At`) -- finds the rows that are old enough to go
) engine = InnoDB default character set utf8mb4 collate utf8mb4_0900_bin
;

-- a misspelt event would go to a topic that nobody reads
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_event_is_declared_b82443'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_event_is_declared_b82443` check ((`kind`, `it''s`) in ((''Order'', ''A''), (''outbox-kit.canary'', ''Canary'')))'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_event_is_declared'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- all events with an empty key share one partition and one order
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_key_is_not_empty_290a73'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_key_is_not_empty_290a73` check (concat(`the key`) <> '''')'))
    from information_schema.table_constraints
    where constraint_schema = 'shop' and table_name = 'outbox' and constraint_type = 'CHECK'
        and left(constraint_name, char_length(constraint_name) - 7) = 'outbox_key_is_not_empty'
);
prepare one from @statement;
execute one;
deallocate prepare one;

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
set @statement = (
    select if(coalesce(sum(constraint_name = 'outbox_payload_fits_d3d062'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_payload_fits_d3d062` check (octet_length(concat(`body`)) between 1 and 900000)'))
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
    select if(coalesce(sum(constraint_name = 'outbox_payload_is_json_10486f'), 0) > 0, 'do 0',
        concat('alter table `shop`.`outbox` ',
            coalesce(convert(group_concat('drop constraint `', replace(cast(constraint_name as char(200)), '`', '``'), '`, ' separator '') using utf8mb4), ''),
            'add constraint `outbox_payload_is_json_10486f` check (json_valid(`body`))'))
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

-- 2. outbox-kit deploy-connector --probe
--    when: before anybody writes again
--    why: it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log
--   ~ column.exclude.list = shop\.outbox\.created_at -> shop\.outbox\.At
--   ~ transforms.outbox.route.by.field = aggregatetype -> kind [wire]
--   ~ transforms.outbox.table.field.event.key = aggregateid -> the key [wire]
--   ~ transforms.outbox.table.field.event.payload = payload -> body [wire]
--   ~ transforms.outbox.table.fields.additional.placement = type:header:eventType,aggregatetype:header:aggregateType,sequence:header:sequence,tenant:header:tenant -> it's:header:eventType,kind:header:aggregateType,sequence:header:sequence,who:header:tenant [wire]
