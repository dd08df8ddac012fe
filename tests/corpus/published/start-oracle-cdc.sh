#!/bin/bash
# Starts the Oracle CDC demo

echo "1/3 Kafka Connect"
kubectl apply -f - <<EOF
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnect
metadata:
  name: ora-connect
  namespace: kafka
  annotations:
    strimzi.io/use-connector-resources: "true"
spec:
  replicas: 1
  bootstrapServers: demo-kafka-bootstrap:9092
  config:
    group.id: ora-connect
    offset.storage.topic: ora-offsets
    config.storage.topic: ora-configs
    status.storage.topic: ora-status
  build:
    output:
      type: docker
      image: registry.local/ora-connect:2.5
    plugins:
      - name: debezium-oracle
        artifacts:
          - type: tgz
            url: https://artifacts.example/io/debezium/debezium-connector-oracle/2.5.1.Final/debezium-connector-oracle-2.5.1.Final-plugin.tar.gz
EOF

echo "2/3 connector"
kubectl wait --for=condition=ready kafkaconnect/ora-connect -n kafka --timeout=300s

kubectl apply -f - <<EOF
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: ora-source
  namespace: kafka
  labels:
    strimzi.io/cluster: ora-connect
spec:
  class: io.debezium.connector.oracle.OracleConnector
  tasksMax: 1
  config:
    database.hostname: "${RDS_HOST}"
    database.port: 1521
    database.user: debezium
    database.password: "${CDC_PASSWORD}"
    database.dbname: ORCLCDB
    database.server.name: ora
    schema.include.list: SALES
    table.include.list: SALES.CLIENTS,SALES.ARTICLES,SALES.BASKETS
    topic.prefix: ora.cdc
    snapshot.mode: initial
EOF

echo "3/3 logs"
kubectl logs -f deployment/ora-connect-connect -n kafka
