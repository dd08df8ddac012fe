#!/usr/bin/env bash
# Kafka Connect with the Oracle connector on EKS
set -euo pipefail

RDS_ADDRESS=$(terraform output -raw oracle_address)

cat <<EOF | kubectl apply -f -
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnect
metadata:
  name: customs-connect
  namespace: kafka
  annotations:
    strimzi.io/use-connector-resources: "true"
spec:
  replicas: 1
  bootstrapServers: ${MSK_BROKERS}
  build:
    output:
      type: docker
      image: artifacts.example.org/customs-connect:latest
    plugins:
      - name: debezium-oracle
        artifacts:
          - type: tgz
            url: https://artifacts.example.org/io/debezium/debezium-connector-oracle/2.5.1.Final/debezium-connector-oracle-2.5.1.Final-plugin.tar.gz
EOF

kubectl wait --for=condition=ready kafkaconnect/customs-connect -n kafka --timeout=480s

cat <<EOF | kubectl apply -f -
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: customs-oracle
  namespace: kafka
  labels:
    strimzi.io/cluster: customs-connect
spec:
  class: io.debezium.connector.oracle.OracleConnector
  tasksMax: 1
  config:
    database.hostname: ${RDS_ADDRESS}
    database.port: 1521
    database.user: cdc_customs
    database.password: Kr8wharf!7Tz#x2Q
    database.dbname: CUSTDB
    database.server.name: customs-oracle
    database.connection.adapter: logminer
    log.mining.strategy: online_catalog
    table.include.list: CUSTOMS.DECLARATIONS,CUSTOMS.DECLARATION_LINES
    decimal.handling.mode: string
    include.schema.changes: false
    tombstones.on.delete: false
    max.batch.size: 1024
    max.queue.size: 4096
    poll.interval.ms: 800
EOF

echo "customs CDC is deployed"
