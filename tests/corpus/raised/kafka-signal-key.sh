#!/bin/sh
# Restated from a mailing list post: "incremental snapshot via the Kafka channel is not picked up".
# At level INFO the worker writes:  Signal key 'energy-source' doesn't match the connector's name 'grid'
set -eu
CONNECT=${CONNECT:-http://connect.energy:8083}
BROKERS=kafka.energy:9092

curl -fsS -X PUT "$CONNECT/connectors/energy-source/config" -H "Content-Type: application/json" -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "mysql-replica-2",
  "database.port": "3306",
  "database.user": "dbz_ro",
  "database.password": "${file:/mnt/creds/mysql.properties:dbz_ro}",
  "database.server.id": "990127",
  "topic.prefix": "grid",
  "database.include.list": "grid",
  "table.include.list": "grid.meter,grid.load_curve",
  "read.only": "true",
  "signal.enabled.channels": "kafka",
  "signal.kafka.topic": "grid-signals",
  "signal.kafka.bootstrap.servers": "kafka.energy:9092",
  "schema.history.internal.kafka.topic": "grid-history",
  "schema.history.internal.kafka.bootstrap.servers": "kafka.energy:9092"
}
JSON

# fill the new table once (must carry the name of the connector as its key)
printf '%s|%s\n' 'energy-source' \
  '{"id":"fill-1","type":"execute-snapshot","data":{"data-collections":["grid.load_curve"],"type":"INCREMENTAL"}}' |
  kcat -P -b "$BROKERS" -t grid-signals -K '|'

echo "waiting for rows of grid.load_curve; the deployment goes on when they are there"
kcat -C -b "$BROKERS" -t grid.grid.load_curve -c 1 -o beginning
