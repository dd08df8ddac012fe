#!/bin/bash
# Postgres on MSK Connect. I was told that the task dies because schema.history.internal.* with the IAM
# settings is missing; it was the security group of the database.
aws kafkaconnect create-connector \
  --connector-name freight-pg \
  --kafka-connect-version 3.7.x \
  --service-execution-role-arn "$ROLE_ARN" \
  --capacity '{"autoScaling":{"maxWorkerCount":1,"mcuCount":1,"minWorkerCount":1,"scaleInPolicy":{"cpuUtilizationPercentage":20},"scaleOutPolicy":{"cpuUtilizationPercentage":80}}}' \
  --kafka-cluster "file://cluster.json" \
  --kafka-cluster-client-authentication '{"authenticationType":"IAM"}' \
  --kafka-cluster-encryption-in-transit '{"encryptionType":"TLS"}' \
  --plugins "file://plugins.json" \
  --worker-configuration "file://worker.json" \
  --connector-configuration '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "freight.cluster-cq2m.eu-west-1.rds.amazonaws.com",
    "database.port": "5432",
    "database.user": "${secretManager:freight/cdc:username}",
    "database.password": "${secretManager:freight/cdc:password}",
    "database.dbname": "freight",
    "database.sslmode": "require",
    "topic.prefix": "freight",
    "plugin.name": "pgoutput",
    "slot.name": "msk_freight",
    "publication.name": "msk_freight",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "ops.shipment,ops.leg,ops.cdc_heartbeat",
    "heartbeat.interval.ms": "60000",
    "heartbeat.action.query": "UPDATE ops.cdc_heartbeat SET seen_at = now()",
    "topic.creation.enable": "true",
    "topic.creation.default.partitions": "3",
    "topic.creation.default.replication.factor": "3"
  }'
