#!/bin/sh
# Replica set, collection and router for the parcels service (used by "make dev")
set -e
COMPOSE="docker compose -p parcels"
$COMPOSE up -d mongo kafka connect

$COMPOSE exec -T mongo mongosh --quiet <<'JS'
try { rs.status() } catch (e) {
  rs.initiate({_id: 'rs0', members: [{_id: 0, host: 'mongo:27017'}]})
}
while (!db.hello().isWritablePrimary) { sleep(500) }
use parcels
db.createCollection('outbox')
db.outbox.createIndex({createdAt: 1}, {expireAfterSeconds: 86400})
JS

echo "waiting for connect"
until curl -sf http://localhost:8083/connectors >/dev/null; do sleep 2; done

curl -sS -X POST http://localhost:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "parcels-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "mongodb.connection.string": "mongodb://mongo:27017/?replicaSet=rs0",
    "topic.prefix": "parcels",
    "collection.include.list": "parcels.outbox",
    "snapshot.mode": "no_data",
    "tombstones.on.delete": "false",
    "skipped.operations": "u,d,t",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
    "transforms.outbox.collection.field.event.key": "parcelId",
    "transforms.outbox.route.by.field": "kind",
    "transforms.outbox.route.topic.replacement": "parcels.${routedByValue}",
    "transforms.outbox.collection.expand.json.payload": "true",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

# a document as the service writes it
$COMPOSE exec -T mongo mongosh --quiet parcels --eval '
db.outbox.insertOne({
  kind: "shipment", parcelId: "P-1001", type: "ParcelScanned",
  payload: {hub: "north"}, createdAt: new Date()
})'
$COMPOSE exec -T kafka kafka-console-consumer.sh --bootstrap-server kafka:9092 \
  --topic parcels.shipment --from-beginning --max-messages 1 --timeout-ms 60000
