-- ksqlDB migration: the source of the member streams
CREATE
SOURCE CONNECTOR MEMBER_SOURCE WITH(
    'connector.class'='io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max'=1,
    'plugin.name'='wal2json',
    'slot.name'='members_w2j',

    'database.hostname'='${env:none:db_host}',
    'database.port'=5432,
    'database.user'='${env:none:db_user}',
    'database.password'='${env:none:db_password}',
    'database.dbname'='${env:none:db_name}',
    'database.server.id'=12,
    'database.server.name'='member',
    'schema.include.list'='public',
    'snapshot.mode'='always',

    'key.converter'='io.confluent.connect.avro.AvroConverter',
    'key.converter.enhanced.avro.schema.support'=true,
    'key.converter.schema.registry.url'='${env:none:REGISTRY_URL}',
    'value.converter'='io.confluent.connect.avro.AvroConverter',
    'value.converter.enhanced.avro.schema.support'=true,
    'value.converter.schema.registry.url'='${env:none:REGISTRY_URL}',

    'transforms'='route,unwrap',
    'transforms.route.type'='org.apache.kafka.connect.transforms.RegexRouter',
    'transforms.route.regex'='([^.]+)\.([^.]+)\.([^.]+)',
    'transforms.route.replacement'='$3',
    'transforms.unwrap.type'='io.debezium.transforms.ExtractNewRecordState',
    'transforms.unwrap.drop.tombstones'=false,
    'transforms.unwrap.delete.handling.mode'='rewrite',
    'tombstones.on.delete'=false,

    'topic.creation.default.cleanup.policy'='compact',
    'topic.creation.default.replication.factor'=-1,
    'topic.creation.default.partitions'=1
);
