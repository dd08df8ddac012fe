SET 'auto.offset.reset' = 'earliest';

DROP CONNECTOR IF EXISTS ${CDC_CONNECTOR};

-- rendered by envsubst in the entrypoint of the ksqlDB cli
CREATE SOURCE CONNECTOR ${CDC_CONNECTOR} WITH (
    'connector.class' = 'io.debezium.connector.mysql.MySqlConnector',
    'tasks.max' = '1',
    'database.hostname' = '${CLINIC_DB_HOST}',
    'database.port' = '${CLINIC_DB_PORT}',
    'database.user' = '${CDC_USER}',
    'database.password' = '${CDC_PASSWORD}',
    'database.server.id' = 9,
    'database.allowPublicKeyRetrieval' = true,
    'topic.prefix' = '${CLINIC_DB}',
    'database.include.list' = '${CLINIC_DB}',
    'table.include.list' = '${CLINIC_DB}.*',
    'database.history.kafka.bootstrap.servers' = '${BROKERS}',
    'database.history.kafka.topic' = 'ddl.${CLINIC_DB}',
    'min.row.count.to.stream.results' = 0,
    'snapshot.mode' = 'schema_only',
    "transforms" = "shortName",
    "transforms.shortName.type" = "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.shortName.regex" = "(.*)\\.(.*)\\.(.*)",
    "transforms.shortName.replacement" = "$3"
);
