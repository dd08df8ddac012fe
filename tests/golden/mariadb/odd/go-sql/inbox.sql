-- The inbox of those who read the events of 'odd', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. For the consumer's own database. Can be run again at any time.

set names utf8mb4;
set session sql_mode = 'TRADITIONAL', session time_zone = '+00:00';
-- A lock that is not to be had must not make the consumer queue up behind us.
set session lock_wait_timeout = 10;

-- A message that is in it has been handled, once for each consumer.
-- Its key finds the rows that are old enough to go. A message can come again for as long as its row is in the
-- outbox, and then as long as its topic keeps it, a week unless told otherwise. Until it says 0:
--   delete from `inbox` where received_at < now(6) - interval 14 day limit 5000; select row_count();
create table if not exists `inbox` (
    consumer varchar(255) not null comment 'who has handled it',
    message_id char(36) not null comment 'the header id',
    received_at timestamp(6) not null default current_timestamp(6) comment 'for retention',
    primary key (consumer, message_id),
    key `age` (received_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_nopad_bin
;

-- What a consumer may: remember a message at the database's own time, find it there, and forget it. Grant it to the consumer's user,
-- as a default role.
create role if not exists 'odd_inbox';
grant insert (consumer, message_id), update (received_at), select, delete on `inbox` to 'odd_inbox';
