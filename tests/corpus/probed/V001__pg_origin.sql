-- options: see the PostgreSQL page of the Debezium reference
CREATE
SOURCE CONNECTOR PG_ORIGIN WITH(
    'connector.class'='io.debezium.connector.postgresql.PostgresConnector',
    'tasks.max'=1,
    'plugin.name'='wal2json',
    'slot.name'='w2j_rds',

    'database.hostname'='${env:<ignore>:host}',
    'database.port'=5432,
    'database.user'='${env:<ignore>:login}',
    'database.password'='${env:<ignore>:pass}',
    'database.dbname'='${env:<ignore>:db}',
    'database.server.id'=7,
    'database.server.name'='member',
    'schema.include.list'='public',
    'snapshot.mode'='always',

    'internal.key.converter'='org.apache.kafka.connect.json.JsonConverter',
    'internal.key.converter.schemas.enable'='false',
    'internal.value.converter'='org.apache.kafka.connect.json.JsonConverter',
    'internal.value.converter.schemas.enable'='false',
    'key.converter'='io.confluent.connect.avro.AvroConverter',
    'key.converter.schemas.enable'=true,
    'key.converter.enhanced.avro.schema.support'=true,
    'key.converter.schema.registry.url'='${env:<ignore>:REGISTRY}',
    'value.converter'='io.confluent.connect.avro.AvroConverter',
    'value.converter.schemas.enable'=true,
    'value.converter.enhanced.avro.schema.support'=true,
    'value.converter.schema.registry.url'='${env:<ignore>:REGISTRY}',

    'transforms'='short,unwrap',
    'transforms.short.type'='org.apache.kafka.connect.transforms.RegexRouter',
    'transforms.short.regex'='([^.]+)\.([^.]+)\.([^.]+)',
    'transforms.short.replacement'='$3',
    'transforms.unwrap.type'='io.debezium.transforms.ExtractNewRecordState',
    'transforms.unwrap.drop.tombstones'=false,
    'transforms.unwrap.delete.handling.mode'='rewrite',
    'tombstones.on.delete'=false,

    'topic.creation.default.cleanup.policy'='compact',
    'topic.creation.default.replication.factor'=-1,
    'topic.creation.default.partitions'=-1
);
