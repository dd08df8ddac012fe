#!/bin/sh
# Creates or updates the voucher connector on our Connect pods (EKS); the brokers (MSK) take IAM only.
# The pods' role may create and write the topics voucher.* and the history topic.
set -eu
: "${CONNECT_URL:=http://connect.streams.svc:8083}"
: "${MSK_BROKERS:?}"

iam='software.amazon.msk.auth.iam.IAMLoginModule required;'
iam_cb='software.amazon.msk.auth.iam.IAMClientCallbackHandler'

curl --fail -sS -X PUT "$CONNECT_URL/connectors/voucher-mysql/config" \
     -H 'Content-Type: application/json' --data-binary @- <<JSON
{
  "name": "voucher-mysql",
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": 1,
  "database.hostname": "voucher-db.internal",
  "database.user": "\${file:/mnt/voucher/db.properties:user}",
  "database.password": "\${file:/mnt/voucher/db.properties:password}",
  "database.server.id": 730114,
  "topic.prefix": "voucher",
  "table.include.list": "voucher.redemption",
  "snapshot.mode": "when_needed",
  "snapshot.locking.mode": "none",
  "schema.history.internal.kafka.topic": "voucher.history",
  "schema.history.internal.kafka.bootstrap.servers": "$MSK_BROKERS",
  "schema.history.internal.producer.security.protocol": "SASL_SSL",
  "schema.history.internal.producer.sasl.mechanism": "AWS_MSK_IAM",
  "schema.history.internal.producer.sasl.jaas.config": "$iam",
  "schema.history.internal.producer.sasl.client.callback.handler.class": "$iam_cb",
  "schema.history.internal.consumer.security.protocol": "SASL_SSL",
  "schema.history.internal.consumer.sasl.mechanism": "AWS_MSK_IAM",
  "schema.history.internal.consumer.sasl.jaas.config": "$iam",
  "schema.history.internal.consumer.sasl.client.callback.handler.class": "$iam_cb"
}
JSON
