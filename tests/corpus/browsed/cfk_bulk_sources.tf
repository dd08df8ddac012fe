locals {
  bootstrap = "kafka.${var.cp_namespace}.svc.cluster.local:9071"
  registry  = "http://schemaregistry.${var.cp_namespace}.svc.cluster.local:8081"

  databases = ["claimsdb", "billingdb", "auditdb"]

  # with the fault proxy on, Debezium connects through it
  db_host = var.fault_proxy ? "faultproxy.${var.cp_namespace}.svc.cluster.local" : var.mssql_address

  # tables without a primary key
  keys = {
    claimsdb  = "claimsdb.dbo.clm_old_journal:origin,kind,at"
    billingdb = "billingdb.dbo.bil_clicks:origin,kind,at"
    auditdb   = "auditdb.dbo.aud_raw:origin,kind,at"
  }
}

resource "kubectl_manifest" "mssql_source" {
  for_each = toset(local.databases)

  yaml_body = <<-YAML
    apiVersion: platform.confluent.io/v1beta1
    kind: Connector
    metadata:
      name: cdc-${each.key}
      namespace: ${var.cp_namespace}
    spec:
      class: io.debezium.connector.sqlserver.SqlServerConnector
      taskMax: ${var.task_max}
      connectClusterRef:
        name: connect
      configs:
        database.hostname: "${local.db_host}"
        database.port: "1433"
        database.user: "${var.mssql_username}"
        database.password: "${var.mssql_password}"
        database.names: "${each.key}"
        topic.prefix: "${each.key}"
        database.encrypt: "false"
        schema.history.internal.kafka.bootstrap.servers: "${local.bootstrap}"
        schema.history.internal.kafka.topic: "_ddl_${each.key}"
        snapshot.mode: "initial"
        snapshot.fetch.size: "10000"
        message.key.columns: "${local.keys[each.key]}"
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
        topic.creation.default.partitions: "${var.partitions}"
        tombstones.on.delete: "true"
        provide.transaction.metadata: "false"
        key.converter: "io.confluent.connect.avro.AvroConverter"
        key.converter.schema.registry.url: "${local.registry}"
        value.converter: "io.confluent.connect.avro.AvroConverter"
        value.converter.schema.registry.url: "${local.registry}"
  YAML
}
