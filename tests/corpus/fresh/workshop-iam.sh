curl -X DELETE "http://localhost:8083/connectors/atelier-source" | jq
curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
"name": "atelier-source",
"config": {
        "connector.class":"io.debezium.connector.mysql.MySqlConnector",
        "snapshot.mode":"schema_only",
        "tasks.max":"1",
        "transforms":"unwrap",
        "transforms.unwrap.type":"io.debezium.transforms.ExtractNewRecordState",
        "include.schema.changes":"true",
        "key.converter.schemas.enable":"true",
        "value.converter.schemas.enable":"true",
        "topic.prefix":"atelier",
        "database.hostname":"192.0.2.36",
        "database.port":"3306",
        "database.server.id":"123411",
        "database.user":"testuser",
        "database.password":"testuser",
        "database.connectionTimeZone":"Asia/Seoul",
        "database.include.list":"atelier",
        "table.include.list":"atelier.canvases,atelier.frames",
        "time.precision.mode":"connect",
        "schema.history.internal.kafka.topic":"atelier",
        "schema.history.internal.kafka.group.id":"connect-cluster",
        "schema.history.internal.kafka.bootstrap.servers":"b-1.atelier.example:9098,b-2.atelier.example:9098",
        "schema.history.internal.consumer.security.protocol":"SASL_SSL",
        "schema.history.internal.consumer.sasl.mechanism":"AWS_MSK_IAM",
        "schema.history.internal.consumer.sasl.jaas.config":"software.amazon.msk.auth.iam.IAMLoginModule required;",
        "schema.history.internal.consumer.sasl.client.callback.handler.class":"software.amazon.msk.auth.iam.IAMClientCallbackHandler",
        "schema.history.internal.producer.security.protocol":"SASL_SSL",
        "schema.history.internal.producer.sasl.mechanism":"AWS_MSK_IAM",
        "schema.history.internal.producer.sasl.jaas.config":"software.amazon.msk.auth.iam.IAMLoginModule required;",
        "schema.history.internal.producer.sasl.client.callback.handler.class":"software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    }
}'
