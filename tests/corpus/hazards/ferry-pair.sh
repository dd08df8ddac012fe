#!/bin/bash
# One database, two connectors: row changes for reporting, domain events for the partners.
base=http://connect.ferry:8083/connectors

curl -s -X PUT -H 'Content-Type: application/json' $base/ferry-reporting/config -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "ferry-pg",
  "database.port": "5432",
  "database.user": "${file:/secrets/ferry.properties:user}",
  "database.password": "${file:/secrets/ferry.properties:password}",
  "database.dbname": "ferry",
  "topic.prefix": "ferry",
  "plugin.name": "pgoutput",
  "slot.name": "ferry_reporting",
  "publication.name": "ferry_reporting",
  "publication.autocreate.mode": "filtered",
  "table.exclude.list": "public.outbox, public.(flyway|schema)_.*",
  "column.truncate.to.200.chars": "public.passenger.remark",
  "xmin.fetch.interval.ms": "60000"
}'

curl -s -X PUT -H 'Content-Type: application/json' $base/ferry-partners/config -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "ferry-pg",
  "database.port": "5432",
  "database.user": "${file:/secrets/ferry.properties:user}",
  "database.password": "${file:/secrets/ferry.properties:password}",
  "database.dbname": "ferry",
  "topic.prefix": "ferry-partners",
  "plugin.name": "pgoutput",
  "slot.name": "ferry_partners",
  "publication.name": "ferry_partners",
  "publication.autocreate.mode": "filtered",
  "schema.include.list": "public",
  "table.include.list": "public.(outbox)",
  "skipped.operations": "u,d,t",
  "status.update.interval.ms": "5000",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "partners.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}'
