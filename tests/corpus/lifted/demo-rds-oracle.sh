#!/bin/bash
# Demo: RDS for Oracle to Kafka on EKS. The Connect image carries connector 2.5.1.Final and the driver.
set -e
STEP=0
say() { STEP=$((STEP+1)); echo "[$STEP] $*"; }

: "${DB_ENDPOINT:?run terraform output first}"
: "${CDC_PASSWORD:?}"

say "Connect"
kubectl apply -n streams -f connect.yaml
kubectl wait --for=condition=ready kafkaconnect/cdc-connect -n streams --timeout=300s

say "Connector"
kubectl apply -f - <<EOF2
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: retail-oracle
  namespace: streams
  labels:
    strimzi.io/cluster: cdc-connect
spec:
  class: io.debezium.connector.oracle.OracleConnector
  tasksMax: 1
  config:
    database.hostname: "${DB_ENDPOINT}"
    database.port: 1521
    database.user: cdc
    database.password: "${CDC_PASSWORD}"
    database.dbname: ORCL
    database.server.name: retail
    topic.prefix: retail.cdc
    schema.include.list: RETAIL
    table.include.list: RETAIL.CLIENTS,RETAIL.ARTICLES,RETAIL.BASKETS
    snapshot.mode: initial
    log.mining.strategy: online_catalog
EOF2

say "Logs"
kubectl logs -f deployment/cdc-connect-connect -n streams
