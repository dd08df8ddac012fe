{
  "name": "workspace-mongo-source",
  "config": {
    "connector.class": "com.mongodb.kafka.connect.MongoSourceConnector",
    "connection.uri": "${WORKSPACE_MONGO_URI}",
    "database": "${WORKSPACE_DB}",
    "change.stream.full.document": "updateLookup",
    "publish.full.document.only": "false",
    "pipeline": "[{\"$match\": { \"operationType\": { \"$in\": [\"insert\", \"update\", \"replace\", \"delete\"] }, \"ns.coll\": { \"$in\": [\"note\", \"task\", \"board\", \"sprint\"] } }}]",
    "topic.namespace.map": "{\"*\":\"${WORKSPACE_TOPIC}\"}",
    "copy.existing": "true",
    "copy.existing.namespace.regex": "${WORKSPACE_DB}\\\.(note|task|board|sprint)",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}
