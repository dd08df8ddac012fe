    curl -i -X PUT -H "Content-Type:application/json" \
        http://localhost:8083/connectors/clubcrm/config \
        -d '{
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "tasks.max": "1",
            "name": "clubcrm",
            "initial.database": "club",
            "database.names": "club",
            "database.hostname": "mssql-club",
            "server.port": "1433",
            "server.name": "gauge",
            "database.user": "sa",
            "database.password": "changeme",
            "database.trustServerCertificate": "true",
            "topic.prefix": "mssql",
            "table.include.list": "dbo.members,dbo.visits",
            "include.schema.changes": "false",
            "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms": "justKey, flat",
            "transforms.justKey.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
            "transforms.justKey.field": "id",
            "key.converter": "org.apache.kafka.connect.converters.IntegerConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "io.confluent.connect.avro.AvroConverter",
            "value.converter.schemas.enable": "true",
            "value.converter.schema.registry.url": "http://registry:8081",
            "schema.history.internal.kafka.topic": "club_ddl",
            "schema.history.internal.kafka.bootstrap.servers": "broker:9092"
        }'
