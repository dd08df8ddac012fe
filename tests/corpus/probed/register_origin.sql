SET 'auto.offset.reset' = 'earliest';

DROP CONNECTOR IF EXISTS ${CDC_NAME};

CREATE SOURCE CONNECTOR ${CDC_NAME} WITH (
    'connector.class' = 'io.debezium.connector.mysql.MySqlConnector',
    'tasks.max' = '1',
    'database.hostname' = '${MYSQL_HOST_INTERNAL}',
    'database.port' = '${MYSQL_PORT}',
    'database.user' = '${CDC_USER}',
    'database.password' = '${CDC_PASSWORD}',
    'database.server.id' = 1,
    'database.allowPublicKeyRetrieval' = true,
    'topic.prefix' = '${SALON_DB}',
    'database.include.list' = '${SALON_DB}',
    'table.include.list' = '${SALON_DB}.*',
    'database.history.kafka.bootstrap.servers' = '${BROKERS_INTERNAL}',
    'database.history.kafka.topic' = 'history.${SALON_DB}',
    'min.row.count.to.stream.results' = 0,
    'snapshot.mode' = 'schema_only',
    'transforms' = 'bare',
    'transforms.bare.type' = 'org.apache.kafka.connect.transforms.RegexRouter',
    'transforms.bare.regex' = '(.*)\.(.*)\.(.*)',
    'transforms.bare.replacement' = '$3'
);
