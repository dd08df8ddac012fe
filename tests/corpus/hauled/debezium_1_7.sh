#!/bin/bash
# Plugins in ./connectors: debezium-connector-postgres 1.7.0.Final

post () {
  curl --write-out '%{http_code}' --silent --output /dev/null -XPOST localhost:8083/connectors/ -H "content-type: application/json" -d '
    {
      "name": "tasks.source",
      "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "postgres",
        "database.server.name": "tasks",
        "plugin.name": "wal2json",
        "slot.name": "tasks",
        "table.include.list": "public.Members, public.Tasks",
        "database.history.kafka.bootstrap.servers": "http://broker:9092",
        "database.history.kafka.topic": "ddl.tasks",
        "include.schema.changes": "true",
        "max.queue.size": "81290",
        "max.batch.size": "20480",
        "key.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "key.converter.schema.registry.url": "http://schema-registry:8081",
        "value.converter.schema.registry.url": "http://schema-registry:8081",
        "snapshot.mode": "exported"
      }
    }
  '
}

code=000
until [ "$code" = 201 ] || [ "$code" = 409 ]; do
  echo "trying"
  code=$(post)
  sleep 5
done
echo "there: $code"
