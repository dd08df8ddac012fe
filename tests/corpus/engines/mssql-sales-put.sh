#!/bin/sh
# sales database -> Kafka, keys are plain integers
    curl -i -X PUT -H  "Content-Type:application/json" \
        http://localhost:8083/connectors/mssqlsalescdc/config \
        -d '{
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "tasks.max": "1",
            "name": "mssqlsalescdc",
            "initial.database": "sales",
            "database.names": "sales",
            "database.hostname": "mssql-sales",
            "server.port": "1433",
            "server.name": "meter",
            "database.user": "sa",
            "database.password": "SQLserver2022!",
            "database.trustServerCertificate": "true",
            "topic.prefix": "mssql",
            "table.include.list": "dbo.Clients,dbo.Invoices",
            "include.schema.changes": "false",
            "transforms": "keyField, unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.keyField.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
            "transforms.keyField.field": "id",
            "key.converter": "org.apache.kafka.connect.converters.IntegerConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "io.confluent.connect.avro.AvroConverter",
            "value.converter.schemas.enable": "true",
            "value.converter.schema.registry.url": "http://registry:8081",
            "schema.history.internal.kafka.topic": "history_internal_topic",
            "schema.history.internal.kafka.bootstrap.servers": "kafka1:9092"
        }'
