-- Tutorial under review, Debezium 1.1 in ksqlDB. Remark of the reviewer on the line with the history's servers:
-- "this one isn't needed either" (PostgreSQL has no schema history). It does no harm.
SET 'auto.offset.reset' = 'earliest';

CREATE SOURCE CONNECTOR members_reader WITH (
    'connector.class' = 'io.debezium.connector.postgresql.PostgresConnector',
    'database.hostname' = 'postgres',
    'database.port' = '5432',
    'database.user' = 'postgres-user',
    'database.password' = 'postgres-pw',
    'database.dbname' = 'members',
    'database.server.name' = 'members',
    'database.history.kafka.bootstrap.servers' = 'broker:9092',
    'table.whitelist' = 'public.members',
    'plugin.name' = 'pgoutput',
    'transforms' = 'unwrap',
    'transforms.unwrap.type' = 'io.debezium.transforms.ExtractNewRecordState',
    'transforms.unwrap.drop.tombstones' = 'false',
    'transforms.unwrap.delete.handling.mode' = 'rewrite'
);

CREATE STREAM members WITH (
    kafka_topic = 'members.public.members',
    value_format = 'avro'
);

CREATE TABLE members_by_key AS
    SELECT id, latest_by_offset(name) AS name, latest_by_offset(age) AS age
    FROM members
    GROUP BY id
    EMIT CHANGES;
