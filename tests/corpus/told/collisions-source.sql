-- ksqlDB: the raw reports of collisions, as they arrive in MongoDB
SET 'auto.offset.reset' = 'earliest';

CREATE SOURCE CONNECTOR collisions_raw_source WITH (
    'connector.class' = 'io.debezium.connector.mongodb.MongoDbConnector',
    'mongodb.hosts' = 'mongo:27017',
    'mongodb.name' = 'replica-set',
    'mongodb.authsource' = 'admin',
    'mongodb.user' = 'mongo',
    'mongodb.password' = 'mongo',
    'collection.whitelist' = 'traffic.collisions_raw',

    'transforms' = 'unwrap',
    'transforms.unwrap.type' = 'io.debezium.connector.mongodb.transforms.ExtractNewDocumentState',
    'transforms.unwrap.drop.tombstones' = 'false',
    'transforms.unwrap.delete.handling.mode' = 'drop',
    'transforms.unwrap.operation.header' = 'true',

    'errors.tolerance' = 'all'
);
