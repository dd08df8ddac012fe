# /bin/bash

curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
  "name": "courier-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "courierdb",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "1234",
    "database.server.id": "11",
    "database.server.name": "courierdb",
    "database.allowPublicKeyRetrieval": "true",
    "database.include.list": "depot",
    "database.history.kafka.bootstrap.servers": "broker:9092",
    "database.history.kafka.topic": "history.courierdb",
    "table.include.list": "depot.outbox",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms": "unwrap,keepTopic",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.fields": "op,table",
    "transforms.unwrap.add.fields.prefix": "info_",
    "transforms.keepTopic.type":"org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.keepTopic.regex":"(.*)",
    "transforms.keepTopic.replacement":"$1"
  }
}'

