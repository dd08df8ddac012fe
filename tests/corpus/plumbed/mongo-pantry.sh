#!/usr/bin/env bash
# Starts the pantry's MongoDB and Kafka Connect on one docker network and puts the connector
set -euo pipefail

docker network create pantry 2>/dev/null || true

docker run -d --name pantry-mongo --hostname pantry-mongo --network pantry -p 27017:27017 \
  mongo:7.0 mongod --replSet pantry0 --bind_ip_all

echo "initiate the replica set"
sleep 6
docker exec pantry-mongo mongosh --quiet --eval '
  rs.initiate({ _id: "pantry0", members: [ { _id: 0, host: "localhost:27017" } ] })
'
sleep 4
docker exec pantry-mongo mongosh --quiet pantry --eval '
  db.createCollection("jars", { changeStreamPreAndPostImages: { enabled: true } });
'

docker run -d --name pantry-kafka --hostname pantry-kafka --network pantry \
  -e KAFKA_NODE_ID=1 -e KAFKA_PROCESS_ROLES=broker,controller \
  -e KAFKA_LISTENERS=PLAINTEXT://:9092,CONTROLLER://:9093 \
  -e KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://pantry-kafka:9092 \
  -e KAFKA_CONTROLLER_QUORUM_VOTERS=1@pantry-kafka:9093 \
  -e KAFKA_CONTROLLER_LISTENER_NAMES=CONTROLLER \
  -e KAFKA_LISTENER_SECURITY_PROTOCOL_MAP=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT \
  -e KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR=1 \
  apache/kafka:3.9.0

docker run -d --name pantry-connect --network pantry -p 8083:8083 \
  -e BOOTSTRAP_SERVERS=pantry-kafka:9092 -e GROUP_ID=pantry \
  -e CONFIG_STORAGE_TOPIC=pantry_configs -e OFFSET_STORAGE_TOPIC=pantry_offsets \
  quay.io/debezium/connect:3.1

until curl -fs http://localhost:8083/connectors >/dev/null; do sleep 2; done

curl -sS -X PUT http://localhost:8083/connectors/pantry-jars/config -H 'Content-Type: application/json' -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
  "mongodb.connection.string": "mongodb://pantry-mongo:27017/?replicaSet=pantry0",
  "topic.prefix": "pantry",
  "database.include.list": "pantry",
  "collection.include.list": "pantry.jars",
  "capture.mode": "change_streams_update_full_with_pre_image",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
JSON
