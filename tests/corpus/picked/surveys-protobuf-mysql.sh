# MySQL outbox of the Django app; the rows hold protobuf bytes, .NET consumes them.
# Works with the debezium/connect:1.6 image from the compose file.

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ --data-raw '{
    "name": "surveys-outbox",
    "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "database.hostname": "mysql",
        "database.port": "3306",
        "database.user": "django",
        "database.password": "django",
        "database.server.name": "surveys-mysql",
        "database.history.kafka.topic": "surveys-history",
        "database.history.kafka.bootstrap.servers": "kafka:9092",
        "table.include.list": "surveydb.surveys_outbox",
        "transforms": "outbox",
        "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
        "value.converter": "io.debezium.converters.ByteBufferConverter",
        "value.converter.schemas.enable": "false",
        "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter"
    }
}'
