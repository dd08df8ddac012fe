resource "kubernetes_config_map_v1" "event_reader" {
  count = local.with_event_reader ? 1 : 0

  metadata {
    namespace = var.env == "dev" ? kubernetes_namespace_v1.dev[0].metadata[0].name : kubernetes_namespace_v1.env.metadata[0].name
    name      = "event-reader"
  }

  data = {
    "register.sh" = <<-EOT
      #!/bin/sh
      until curl -sf localhost:8083/; do sleep 2; done
      curl -s -X POST -H 'Content-Type: application/json' localhost:8083/connectors -d @/conf/connector.json
    EOT

    "connector.json" = <<-EOT
      {
        "name": "event-reader",
        "config": {
          "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
          "tasks.max": 1,
          "database.hostname": "agreements-dev.cluster.db.example.org",
          "database.port": "5432",
          "database.user": "event_reader",
          "database.password": "tQ8#vRm2Zk19!xLd",
          "database.dbname": "agreements",
          "topic.prefix": "lab.agreements",
          "plugin.name": "pgoutput",
          "binary.handling.mode": "hex",
          "slot.name": "event_reader",
          "publication.name": "agreements_events",
          "publication.autocreate.mode": "disabled",
          "transforms": "ByStream",
          "transforms.ByStream.type": "io.debezium.transforms.partitions.PartitionRouting",
          "transforms.ByStream.partition.payload.fields": "change.stream_id",
          "transforms.ByStream.partition.topic.num": 4,
          "table.include.list": "lab.events"
        }
      }
    EOT
  }
}

resource "kubernetes_service_account_v1" "event_reader" {
  count = local.with_event_reader ? 1 : 0
  metadata {
    namespace   = kubernetes_namespace_v1.env.metadata[0].name
    name        = "event-reader"
    annotations = { "eks.amazonaws.com/role-arn" = data.aws_iam_role.event_reader[0].arn }
  }
}
