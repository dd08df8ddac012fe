-- The inbox of a consumer, written by outbox-kit 0.1.0; it belongs into the consumer's database.
-- A message that is in it has been handled. Can be run again at any time.
create table if not exists `inbox` (
    `consumer` varchar(255) not null, -- who has handled it
    `message_id` char(36) not null, -- the header id
    `handled_at` timestamp(6) not null default current_timestamp(6), -- for retention
    primary key (`consumer`, `message_id`)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_nopad_bin;
