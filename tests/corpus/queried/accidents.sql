-- Medallion demo: raw accident reports from MongoDB, run in the ksqlDB shell.
-- Connect image with debezium-connector-mongodb 2.5

SET 'auto.offset.reset' = 'earliest';

CREATE SOURCE CONNECTOR accidents_raw_source WITH (
    'connector.class' = 'io.debezium.connector.mongodb.MongoDbConnector',
    'mongodb.hosts' = 'mongo:27017',
    'mongodb.name' = 'replica-set',
    'mongodb.user' = 'mongo',
    'mongodb.password' = 'mongo',
    'collection.whitelist' = 'traffic.accidents_raw',

    'transforms' = 'flat',
    'transforms.flat.type' = 'io.debezium.connector.mongodb.transforms.ExtractNewDocumentState',

    'errors.tolerance' = 'all'
);

CREATE STREAM accidents_raw WITH (
    kafka_topic = 'replica-set.traffic.accidents_raw',
    value_format = 'avro'
);

CREATE STREAM accidents_clean WITH (partitions = 4) AS
    SELECT id, state, severity, UCASE(road_type) AS road_type
    FROM accidents_raw
    WHERE severity IS NOT NULL
    EMIT CHANGES;
