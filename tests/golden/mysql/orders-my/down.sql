-- The outbox of 'orders-my', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.

set names utf8mb4;
set session sql_mode = 'TRADITIONAL';
set session lock_wait_timeout = 10;
-- a right would outlive its table
set @statement = (
    select if(count(*), 'revoke insert on `shop`.`outbox` from ''shop''', 'do 0') from mysql.tables_priv
    where db = 'shop' and table_name = 'outbox' and user = substring_index('shop', '@', 1)
);
prepare one from @statement;
execute one;
deallocate prepare one;
-- a right would outlive its table
set @statement = (
    select if(count(*), 'revoke insert on `shop`.`outbox` from ''batch''@''10.0.%''', 'do 0') from mysql.tables_priv
    where db = 'shop' and table_name = 'outbox' and user = substring_index('batch@10.0.%', '@', 1)
);
prepare one from @statement;
execute one;
deallocate prepare one;
drop table if exists `shop`.`outbox_heartbeat`;
drop table if exists `shop`.`outbox`;
drop user if exists 'orders_my_outbox'@'%';
