#!/bin/bash

answer=000

registerWriter () {
  code=$(curl --write-out '%{http_code}' --silent --output /dev/null -XPOST localhost:8083/connectors/ -H "content-type: application/json" -d '
    {
      "name": "notes-view-writer",
      "config": {
        "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
        "connection.url": "jdbc:postgresql://pg:5432/notes",
        "connection.user": "postgres",
        "connection.password": "postgres",
        "dialect.name": "PostgreSqlDatabaseDialect",
        "key.converter": "io.confluent.connect.avro.AvroConverter",
        "key.converter.schema.registry.url": "http://registry:8081",
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": "http://registry:8081",
        "insert.mode": "insert",
        "ignore.table": true,
        "auto.create": false,
        "auto.evolve": false,
        "input.data.format": "AVRO",
        "transforms": "flat",
        "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.flat.drop.tombstones": "false",
        "topics": "pg.public.Notes",
        "table.name.format": "public.note_view",
        "pk.mode": "record_key",
        "tasks.max": "1"
      }
    }
  ');

  echo "$code"
}

while [ "$answer" != 201 ] | [ "$answer" != 409 ];
  do
    echo "registering the writer"
    answer=$(registerWriter)
    sleep 3
  done
