locals {
  brokers  = "kafka.${var.cp_ns}.svc.cluster.local:9071"
  registry = "http://schemaregistry.${var.cp_ns}.svc.cluster.local:8081"

  databases = ["ledgerdb", "storesdb", "eventsdb"]

  # the proxy adds the latency of the data centre
  db_host = var.with_proxy ? "latency-proxy.${var.cp_ns}.svc.cluster.local" : var.mssql_host

  # tables without a primary key
  keys = {
    ledgerdb = "ledgerdb.dbo.old_journal:origin,kind,at"
    storesdb = "storesdb.dbo.clicks:origin,kind,at"
    eventsdb = "eventsdb.dbo.raw_log:origin,kind,at"
  }
}

resource "kubectl_manifest" "mssql_source" {
  for_each = toset(local.databases)

  yaml_body = <<-YAML
    apiVersion: platform.confluent.io/v1beta1
    kind: Connector
    metadata:
      name: mssql-${each.key}
      namespace: ${var.cp_ns}
    spec:
      class: io.debezium.connector.sqlserver.SqlServerConnector
      taskMax: ${var.source_tasks}
      connectClusterRef:
        name: connect
      configs:
        database.hostname: "${local.db_host}"
        database.port: "1433"
        database.user: "${var.mssql_user}"
        database.password: "${var.mssql_password}"
        database.names: "${each.key}"
        topic.prefix: "${each.key}"
        database.encrypt: "false"
        schema.history.internal.kafka.bootstrap.servers: "${local.brokers}"
        schema.history.internal.kafka.topic: "_ddl_${each.key}"
        snapshot.mode: "initial"
        snapshot.fetch.size: "8000"
        message.key.columns: "${local.keys[each.key]}"
        binary.handling.mode: "bytes"
        column.propagate.source.type: ".*"
        max.batch.size: "4096"
        max.queue.size: "16384"
        max.queue.size.in.bytes: "50331648"
        producer.override.max.request.size: "16777216"
        producer.override.linger.ms: "80"
        producer.override.compression.type: "lz4"
        heartbeat.interval.ms: "15000"
        topic.creation.default.replication.factor: "3"
        topic.creation.default.partitions: "${var.topic_partitions}"
        tombstones.on.delete: "true"
        provide.transaction.metadata: "false"
        key.converter: "io.confluent.connect.avro.AvroConverter"
        key.converter.schema.registry.url: "${local.registry}"
        value.converter: "io.confluent.connect.avro.AvroConverter"
        value.converter.schema.registry.url: "${local.registry}"
  YAML
}

resource "kubectl_manifest" "latency_proxy" {
  count = var.with_proxy ? 1 : 0

  yaml_body = <<-YAML
    apiVersion: v1
    kind: Service
    metadata:
      name: latency-proxy
      namespace: ${var.cp_ns}
    spec:
      selector: {app: latency-proxy}
      ports: [{name: mssql, port: 1433, targetPort: 1433}]
  YAML
}
