#!/bin/sh
# quay.io/debezium/connect:3.1 + Confluent Elasticsearch sink

# 1. source
curl -X PUT localhost:8083/connectors/recipes-source/config -H "Content-Type: application/json" -d '{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "topic.prefix": "recipes",
  "database.hostname": "mysql",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "debezium",
  "database.server.id": "184054",
  "database.include.list": "cookbook",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "schema-changes.cookbook",
  "transforms": "route",
  "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.route.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
  "transforms.route.replacement": "$3"
}'

# 2. sink
curl -X PUT localhost:8083/connectors/recipes-elastic/config -H "Content-Type: application/json" -d '{
  "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
  "tasks.max": "1",
  "topics": "recipe",
  "connection.url": "http://elastic:9200",
  "transforms": "unwrap,key",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "false",
  "transforms.key.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
  "transforms.key.field": "id",
  "key.ignore": "false",
  "type.name": "_doc",
  "behavior.on.null.values": "delete"
}'
