#!/bin/sh
# page hits into H2 and back again

curl -i -X POST -H "Accept:application/json" \
    -H  "Content-Type:application/json" http://localhost:18083/connectors/ \
    -d '{
      "name": "h2-sink",
      "config": {
            "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
            "tasks.max": "1",
            "topics": "hits",
            "connection.url": "jdbc:h2:tcp://h2:9092/stats",
            "auto.create": "true",
            "connection.user": "sa",
            "connection.password": "password",
            "dialect.name": "H2Dialect",
            "key.converter": "io.confluent.connect.json.JsonSchemaConverter",
            "key.converter.schema.registry.url": "http://schema-registry:8081",
            "value.converter": "io.confluent.connect.json.JsonSchemaConverter",
            "value.converter.schema.registry.url": "http://schema-registry:8081"
       }
    }'

# curl -X DELETE  http://localhost:18083/connectors/h2-sink

curl -i -X POST -H "Accept:application/json" \
    -H  "Content-Type:application/json" http://localhost:18083/connectors/ \
    -d '{
      "name": "h2-source",
      "config": {
            "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
            "tasks.max": "1",
            "table.whitelist": "hits",
            "topic.prefix": "copy.",
            "connection.url": "jdbc:h2:tcp://h2:9092/stats",
            "mode": "bulk",
            "connection.user": "sa",
            "connection.password": "password",
            "dialect.name": "GenericDatabaseDialect",
            "key.converter": "io.confluent.connect.json.JsonSchemaConverter",
            "key.converter.schema.registry.url": "http://schema-registry:8081",
            "value.converter": "io.confluent.connect.json.JsonSchemaConverter",
            "value.converter.schema.registry.url": "http://schema-registry:8081"
       }
    }'
