locals {
  kafka_bootstrap = "kafka.${var.cp_namespace}.svc.cluster.local:9071"
  sr_url          = "http://schemaregistry.${var.cp_namespace}.svc.cluster.local:8081"
  aurora_jdbc     = "jdbc:postgresql://${var.aurora_endpoint}/${var.aurora_db_name}"

  bulk_dbs = ["ledgerdb", "salesdb", "auditdb"]

  # latency tests go through a proxy
  source_host = var.slow_link ? "slowlink.${var.cp_namespace}.svc.cluster.local" : var.sqlserver_address

  # tables without a primary key
  nopk_keys = {
    ledgerdb = "ledgerdb.dbo.old_journal:source_id,event_type,event_ts"
    salesdb  = "salesdb.dbo.click_log:source_id,event_type,event_ts"
    auditdb  = "auditdb.dbo.raw_events:source_id,event_type,event_ts"
  }
}

# Debezium, one connector for each database
resource "kubectl_manifest" "debezium_bulk" {
  for_each = toset(local.bulk_dbs)

  yaml_body = <<-YAML
    apiVersion: platform.confluent.io/v1beta1
    kind: Connector
    metadata:
      name: debezium-${each.key}
      namespace: ${var.cp_namespace}
    spec:
      class: io.debezium.connector.sqlserver.SqlServerConnector
      taskMax: ${var.debezium_task_max}
      connectClusterRef:
        name: connect
      configs:
        database.hostname: "${local.source_host}"
        database.port: "1433"
        database.user: "${var.sqlserver_username}"
        database.password: "${var.sqlserver_password}"
        database.names: "${each.key}"
        topic.prefix: "${each.key}"
        database.encrypt: "false"
        schema.history.internal.kafka.bootstrap.servers: "${local.kafka_bootstrap}"
        schema.history.internal.kafka.topic: "_ddl_${each.key}"
        snapshot.mode: "initial"
        snapshot.fetch.size: "10000"
        message.key.columns: "${local.nopk_keys[each.key]}"
        binary.handling.mode: "bytes"
        column.propagate.source.type: ".*"
        max.batch.size: "4096"
        max.queue.size: "16384"
        max.queue.size.in.bytes: "67108864"
        producer.override.max.request.size: "20971520"
        producer.override.linger.ms: "100"
        producer.override.compression.type: "lz4"
        heartbeat.interval.ms: "10000"
        topic.creation.default.replication.factor: "3"
        topic.creation.default.partitions: "${var.cdc_topic_partitions}"
        tombstones.on.delete: "true"
        key.converter: "io.confluent.connect.avro.AvroConverter"
        key.converter.schema.registry.url: "${local.sr_url}"
        value.converter: "io.confluent.connect.avro.AvroConverter"
        value.converter.schema.registry.url: "${local.sr_url}"
  YAML
}

# JDBC sink, one for each database
resource "kubectl_manifest" "jdbc_sink" {
  for_each = toset(local.bulk_dbs)

  yaml_body = <<-YAML
    apiVersion: platform.confluent.io/v1beta1
    kind: Connector
    metadata:
      name: jdbc-sink-${each.key}
      namespace: ${var.cp_namespace}
    spec:
      class: io.confluent.connect.jdbc.JdbcSinkConnector
      taskMax: ${var.jdbc_sink_task_max}
      connectClusterRef:
        name: connect
      configs:
        connection.url: "${local.aurora_jdbc}"
        connection.user: "${var.aurora_username}"
        connection.password: "${var.aurora_password}"
        topics.regex: "${each.key}[.]${each.key}[.]dbo[.].*"
        insert.mode: "upsert"
        delete.enabled: "true"
        pk.mode: "record_key"
        auto.create: "true"
        auto.evolve: "true"
        key.converter: "io.confluent.connect.avro.AvroConverter"
        key.converter.schema.registry.url: "${local.sr_url}"
        value.converter: "io.confluent.connect.avro.AvroConverter"
        value.converter.schema.registry.url: "${local.sr_url}"
        transforms: "unwrap,route"
        transforms.unwrap.type: "io.debezium.transforms.ExtractNewRecordState"
        transforms.route.type: "org.apache.kafka.connect.transforms.RegexRouter"
        transforms.route.regex: "[^.]+[.](.*)[.](.*)"
        transforms.route.replacement: "$2"
        table.name.format: "${each.key}.$${topic}"
  YAML
}
