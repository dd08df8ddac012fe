-- The class was "not found" until the plug-in was mounted below CONNECT_PLUGIN_PATH of the
-- *Connect* container; the statement itself was all right. Debezium 3.2.
CREATE SOURCE CONNECTOR IF NOT EXISTS retail_reader WITH (
    'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
    'database.hostname' = 'postgres',
    'database.port' = '5432',
    'database.user' = 'postgres-user',
    'database.password' = 'postgres-pw',
    'database.dbname' = 'retail',
    'topic.prefix' = 'retail',
    'plugin.name' = 'pgoutput',
    'publication.autocreate.mode' = 'filtered',
    'table.include.list' = 'public.shopper,public.basket',
    'transforms' = 'unwrap',
    'transforms.unwrap.type' = 'io.debezium.transforms.ExtractNewRecordState',
    'transforms.unwrap.delete.tombstone.handling.mode' = 'rewrite'
);

CREATE STREAM shopper WITH (kafka_topic = 'retail.public.shopper', value_format = 'avro');

CREATE TABLE shopper_by_id AS
    SELECT id, LATEST_BY_OFFSET(name) AS name, LATEST_BY_OFFSET(__deleted) AS deleted
    FROM shopper GROUP BY id EMIT CHANGES;
