#!/bin/bash

set -e

register() {
  local name=$1
  local config=$2

  echo "Registering $name"
  curl --request POST \
    --url http://localhost:8083/connectors \
    --header 'Accept: application/json' \
    --header 'Content-Type: application/json' \
    --data "$config"
  echo
}

PERMITS_CONFIG='{
  "name": "permits-source-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "mysql-permits",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "root",
    "database.server.id": "10040",
    "database.include.list": "permits",
    "table.ignore.broken.offsets": "true",
    "table.include.list": "permits.permits",
    "include.schema.changes": "false",
    "schema.history.internal.kafka.bootstrap.servers": "kafka-broker:19092",
    "schema.history.internal.kafka.topic": "connect-ddl-history",
    "topic.prefix": "permits",
    "transforms": "RenameTopic",
    "transforms.RenameTopic.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.RenameTopic.regex": ".*",
    "transforms.RenameTopic.replacement": "connect-permit-events",
    "snapshot.mode": "initial",
    "max.batch.size": "2048",
    "max.queue.size": "8192",
    "poll.interval.ms": "1000",
    "connect.timeout.ms": "30000",
    "tombstones.on.delete": "false"
  }
}'

VISITS_CONFIG='{
  "name": "visits-source-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "mysql-visits",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "root",
    "database.server.id": "10041",
    "database.include.list": "visits",
    "table.ignore.broken.offsets": "true",
    "table.include.list": "visits.visits",
    "include.schema.changes": "false",
    "schema.history.internal.kafka.bootstrap.servers": "kafka-broker:19092",
    "schema.history.internal.kafka.topic": "connect-ddl-history",
    "topic.prefix": "visits",
    "transforms": "RenameTopic",
    "transforms.RenameTopic.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.RenameTopic.regex": ".*",
    "transforms.RenameTopic.replacement": "connect-visit-events",
    "snapshot.mode": "initial",
    "max.batch.size": "2048",
    "max.queue.size": "8192",
    "poll.interval.ms": "1000",
    "connect.timeout.ms": "30000",
    "tombstones.on.delete": "false"
  }
}'

register "permits-source-connector" "$PERMITS_CONFIG"
register "visits-source-connector" "$VISITS_CONFIG"
