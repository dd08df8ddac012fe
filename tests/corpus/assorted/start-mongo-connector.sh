set -euxo pipefail

until mongo "$MONGO_ADDR" --eval "print(\"up\")"; do
  sleep 2
done
until curl --output /dev/null --silent --head --fail "$CONNECT"; do
  sleep 2
done

curl -i -X POST -H "Content-Type:application/json" "$CONNECT"/connectors/ -d @- <<-EOF
  {
    "name": "casework",
    "config": {
      "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
      "tasks.max" : "1",
      "consumer.max.poll.records" : "80",
      "database.history.consumer.max.poll.records" : "80",
      "connect.backoff.max.delay.ms" : "4000",
      "mongodb.poll.interval.ms" : "4000",
      "mongodb.hosts" : "$MONGO_RS/$MONGO_ADDR",
      "mongodb.name" : "casestore",
      "mongodb.user" : "$MONGO_USER",
      "mongodb.password" : "$MONGO_PASSWORD",
      "database.include" : "casework",
      "database.history.kafka.bootstrap.servers" : "$KAFKA",
      "key.converter": "org.apache.kafka.connect.json.JsonConverter",
      "key.converter.schemas.enable": "false",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",
      "collection.include.list": "casework.caseprocessevents,casework.casetaskevents",
      "transforms": "unwrap,reroute",
      "transforms.unwrap.type": "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
      "transforms.unwrap.array.encoding": "array",
      "transforms.unwrap.drop.tombstones": "false",
      "transforms.unwrap.delete.handling.mode": "drop",
      "transforms.unwrap.operation.header": "false",
      "transforms.reroute.type": "io.debezium.transforms.ByLogicalTableRouter",
      "transforms.reroute.topic.regex": "(.*)case(.*)events(.*)",
      "transforms.reroute.topic.replacement": "case-\$2-events",
      "transforms.reroute.key.enforce.uniqueness": "false",
      "skipped.operations": "u,d",
      "tombstones.on.delete": "false"
    }
  }
EOF
