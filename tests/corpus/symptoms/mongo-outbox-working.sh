# The version that works (replica set initiated first; before that: NotYetInitialized in the mongo log)
mongosh --host mongo1 --eval 'rs.initiate({_id:"rs0",members:[{_id:0,host:"mongo1:27017"}]})'

curl -i -X PUT http://localhost:8083/connectors/voucher-outbox/config -H 'Content-Type: application/json' -d '{
  "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
  "tasks.max": "1",
  "mongodb.connection.string": "mongodb://mongo1:27017/?replicaSet=rs0",
  "topic.prefix": "voucher",
  "collection.include.list": "voucher.outboxevent",
  "tombstones.on.delete": "false",
  "snapshot.mode": "no_data",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
  "transforms.outbox.collection.field.event.key": "aggregateid",
  "transforms.outbox.collection.expand.json.payload": "true",
  "transforms.outbox.collection.fields.additional.placement": "type:header:eventType",
  "transforms.outbox.route.by.field": "aggregatetype",
  "transforms.outbox.route.topic.replacement": "${routedByValue}.events",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}'
