#!/bin/bash
# The log of connect is full of "illegal topic name"; which of them makes it?
oc exec -i bus-kafka-0 -c kafka -- curl -sS -X POST \
  -H "Accept:application/json" -H "Content-Type:application/json" \
  http://cdc-connect-api:8083/connectors -d @- <<'EOT'
{
  "name": "depots-connector-3",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "dbz",
    "database.server.id": "184058",
    "topic.prefix": "dbserver3",
    "database.include.list": "depots",
    "schema.history.internal.kafka.bootstrap.servers": "bus-kafka-bootstrap:9092",
    "schema.history.internal.kafka.topic": "schema-changes.depots",
    "transforms": "route",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.route.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
    "transforms.route.replacement": "$1_$2_$3"
  }
}
EOT
