locals {
  brokers   = "kafka.${var.cp_namespace}.svc.cluster.local:9071"
  registry  = "http://schemaregistry.${var.cp_namespace}.svc.cluster.local:8081"
  warehouse = "jdbc:postgresql://${var.warehouse_endpoint}/${var.warehouse_db}"

  bulk_dbs = ["ledgerdb", "shopdb", "tracedb"]

  # tables without a primary key need a key for the upsert
  keyless = {
    ledgerdb = "ledgerdb.dbo.old_journal:origin_id,kind,at"
    shopdb   = "shopdb.dbo.clicks:origin_id,kind,at"
    tracedb  = "tracedb.dbo.raw_traces:origin_id,kind,at"
  }
}

resource "kubectl_manifest" "mssql_source" {
  for_each = toset(local.bulk_dbs)

  yaml_body = <<-YAML
    apiVersion: platform.confluent.io/v1beta1
    kind: Connector
    metadata:
      name: mssql-${each.key}
      namespace: ${var.cp_namespace}
    spec:
      class: io.debezium.connector.sqlserver.SqlServerConnector
      taskMax: ${var.source_tasks}
      connectClusterRef:
        name: connect
      configs:
        database.hostname: "${var.mssql_address}"
        database.port: "1433"
        database.user: "${var.mssql_username}"
        database.password: "${var.mssql_password}"
        database.names: "${each.key}"
        database.encrypt: "false"
        topic.prefix: "${each.key}"
        schema.history.internal.kafka.bootstrap.servers: "${local.brokers}"
        schema.history.internal.kafka.topic: "_ddl_${each.key}"
        snapshot.mode: "initial"
        snapshot.fetch.size: "10000"
        message.key.columns: "${local.keyless[each.key]}"
        binary.handling.mode: "bytes"
        column.propagate.source.type: ".*"
        max.batch.size: "4096"
        max.queue.size: "16384"
        producer.override.max.request.size: "20971520"
        producer.override.compression.type: "lz4"
        heartbeat.interval.ms: "10000"
        topic.creation.default.replication.factor: "3"
        topic.creation.default.partitions: "${var.topic_partitions}"
        tombstones.on.delete: "true"
        key.converter: "io.confluent.connect.avro.AvroConverter"
        key.converter.schema.registry.url: "${local.registry}"
        value.converter: "io.confluent.connect.avro.AvroConverter"
        value.converter.schema.registry.url: "${local.registry}"
  YAML
}

resource "kubectl_manifest" "warehouse_sink" {
  for_each = toset(local.bulk_dbs)

  yaml_body = <<-YAML
    apiVersion: platform.confluent.io/v1beta1
    kind: Connector
    metadata:
      name: warehouse-${each.key}
      namespace: ${var.cp_namespace}
    spec:
      class: io.confluent.connect.jdbc.JdbcSinkConnector
      taskMax: ${var.sink_tasks}
      connectClusterRef:
        name: connect
      configs:
        connection.url: "${local.warehouse}"
        connection.user: "${var.warehouse_username}"
        connection.password: "${var.warehouse_password}"
        topics.regex: "${each.key}[.]${each.key}[.]dbo[.].*"
        insert.mode: "upsert"
        delete.enabled: "true"
        pk.mode: "record_key"
        auto.create: "true"
        auto.evolve: "true"
        key.converter: "io.confluent.connect.avro.AvroConverter"
        key.converter.schema.registry.url: "${local.registry}"
        value.converter: "io.confluent.connect.avro.AvroConverter"
        value.converter.schema.registry.url: "${local.registry}"
        transforms: "flat,short"
        transforms.flat.type: "io.debezium.transforms.ExtractNewRecordState"
        transforms.flat.drop.tombstones: "false"
        transforms.flat.delete.handling.mode: "rewrite"
        transforms.short.type: "org.apache.kafka.connect.transforms.RegexRouter"
        transforms.short.regex: "[^.]+[.](.*)[.](.*)"
        transforms.short.replacement: "$2"
        table.name.format: "${each.key}.$${topic}"
  YAML
}
