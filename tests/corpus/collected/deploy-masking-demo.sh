#!/bin/bash
set -euo pipefail

RDS_HOST="$(terraform output -raw rds_endpoint)"

deploy_debezium() {
    kubectl apply -f - <<EOF
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnect
metadata:
  name: debezium-connect
  namespace: kafka
  annotations:
    strimzi.io/use-connector-resources: "true"
spec:
  replicas: 1
  bootstrapServers: demo-kafka-bootstrap:9092
  config:
    group.id: connect-cluster
    offset.storage.topic: connect-offsets
    config.storage.topic: connect-configs
    status.storage.topic: connect-status
  build:
    output:
      type: docker
      image: demo/debezium-connect:2.5
    plugins:
      - name: debezium-oracle
        artifacts:
          - type: tgz
            url: https://artifacts.example.org/debezium-connector-oracle-2.5.1.Final-plugin.tar.gz
EOF
    kubectl wait --for=condition=ready kafkaconnect/debezium-connect -n kafka --timeout=600s

    # the connector
    kubectl apply -f - <<EOF
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: oracle-people-connector
  namespace: kafka
  labels:
    strimzi.io/cluster: debezium-connect
spec:
  class: io.debezium.connector.oracle.OracleConnector
  tasksMax: 1
  config:
    database.hostname: "${RDS_HOST}"
    database.port: 1521
    database.user: people_cdc
    database.password: "Lynx!4482dusk"
    database.dbname: ORCLCDB
    database.server.name: oracle
    schema.include.list: PEOPLE
    table.include.list: PEOPLE.PERSONS,PEOPLE.ADDRESSES,PEOPLE.CONTRACTS
    topic.prefix: oracle.people
    snapshot.mode: initial
    log.mining.strategy: online_catalog
EOF
    echo "Debezium is there"
}

deploy_debezium
