# /bin/bash

curl --location 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--header 'Cookie: JSESSIONID=1C77E02B9AD845F3B6640D1F2E8A93C5' \
--data '{
  "name": "goods-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "root",
    "database.password": "root",
    "database.dbname": "shop_goods",
    "database.server.name": "goods_database",
    "table.include.list": "public.*",
    "slot.name": "goods_slot",
    "publication.name": "publication",
    "plugin.name": "pgoutput",
    "topic.prefix": "minhle",
    "snapshot.mode": "initial",
    "include.schema.changes": "false",
    "schema.history.internal.kafka.topic": "schemahistory.goods",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092"
  }
}
'
