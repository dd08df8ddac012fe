echo "Connect bekleniyor... "
sleep 1
# shellcheck disable=SC2016
curl -H 'Content-Type: application/json' localhost:8042/connectors --data '
{
  "name": "kiraz-stok-outbox",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3342",
    "database.user": "root",
    "database.password": "P@ssword123",
    "database.server.id": "190270",
    "database.server.name": "stok",
    "tombstones.on.delete": "false",
    "database.include.list": "kiraz.plt.domain.stok.db",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": "false",
    "binary.handling.mode": "bytes",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "database.history.kafka.bootstrap.servers": "kafka:29042",
    "database.history.kafka.topic": "stok.schema-changes",
    "include.schema.changes": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "table.include.list": "kiraz.plt.domain.stok.db._GidenMesaj",
    "transforms.outbox.table.field.event.id": "MesajId",
    "transforms.outbox.table.field.event.key": "GrupId",
    "transforms.outbox.table.field.event.type": "MesajAdi",
    "transforms.outbox.table.field.event.payload": "Mesaj",
    "transforms.outbox.table.expand.json.payload": "false",
    "transforms.outbox.route.by.field": "Hedef",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "IcerikTipi:header,IliskiId:header,YasamSuresi:header,IstekId:header,Kaynak:header,YanitAdresi:header"
  }
}'
