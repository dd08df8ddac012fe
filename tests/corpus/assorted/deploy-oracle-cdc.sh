#!/bin/bash
set -e

DB_HOST=$(terraform output -raw oracle_host)

cat <<EOF | kubectl apply -f -
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnect
metadata:
  name: cdc-connect
  namespace: streams
  annotations:
    strimzi.io/use-connector-resources: "true"
spec:
  replicas: 1
  bootstrapServers: streams-kafka-bootstrap:9092
  config:
    group.id: cdc-connect
    config.storage.topic: cdc-connect-configs
    offset.storage.topic: cdc-connect-offsets
    status.storage.topic: cdc-connect-status
  build:
    output:
      type: docker
      image: artifacts.example.org/streams/cdc-connect:latest
    plugins:
      - name: oracle
        artifacts:
          - type: tgz
            url: https://artifacts.example.org/debezium-connector-oracle-2.5.1.Final-plugin.tar.gz
EOF

kubectl wait --for=condition=ready kafkaconnect/cdc-connect -n streams --timeout=600s

cat <<EOF | kubectl apply -f -
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: oracle-source
  namespace: streams
  labels:
    strimzi.io/cluster: cdc-connect
spec:
  class: io.debezium.connector.oracle.OracleConnector
  tasksMax: 1
  config:
    database.hostname: ${DB_HOST}
    database.port: 1521
    database.user: cdcreader
    database.password: Rd7x#Flow!2024
    database.dbname: ORCLCDB
    database.server.name: oracle-source
    database.connection.adapter: logminer
    log.mining.strategy: online_catalog
    table.include.list: SHOP.CLIENTS,SHOP.GOODS,SHOP.BASKETS
    decimal.handling.mode: string
    include.schema.changes: false
    tombstones.on.delete: false
    max.batch.size: 2048
    max.queue.size: 8192
EOF

echo "source deployed"
