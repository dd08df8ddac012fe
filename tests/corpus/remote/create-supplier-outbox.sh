echo "Giving the connect container a moment... "
sleep 1
# shellcheck disable=SC2016
curl -H 'Content-Type: application/json' localhost:8051/connectors --data '
{
  "name": "pro-erp-domain-supplier-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3351",
    "database.user": "root",
    "database.password": "P@ssw0rd321",
    "database.server.id": "184054",
    "database.server.name": "supplier",
    "tombstones.on.delete": "false",
    "database.include.list": "acme.pro.erp.core.domain.supplier.db",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": "false",
    "binary.handling.mode": "bytes",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "database.history.kafka.bootstrap.servers": "kafka:29051",
    "database.history.kafka.topic": "supplier.schema-changes",
    "include.schema.changes": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "table.include.list": "acme.pro.erp.core.domain.supplier.db._EventOutbox",
    "transforms.outbox.table.field.event.id": "EventId",
    "transforms.outbox.table.field.event.key": "PartitionId",
    "transforms.outbox.table.field.event.type": "EventName",
    "transforms.outbox.table.field.event.payload": "Body",
    "transforms.outbox.table.expand.json.payload": "false",
    "transforms.outbox.route.by.field": "Target",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "BodyContentType:header,CorrelationId:header,Expiry:header,RequestId:header,Origin:header,ReplyTo:header,ExtraProperties:header"
  }
}'
