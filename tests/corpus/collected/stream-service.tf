locals {
  db_name                  = "maindb"
  server_name              = "maindb-server"
  tables_to_include        = ["public.accounts", "public.devices"]
  tables_to_include_string = join(",", local.tables_to_include)
}

module "stream_service" {
  source = "../modules/k8s-service"

  config_maps = [
    {
      name       = "debezium-config"
      mount_path = "/debezium/config"
      read_only  = true
      # debezium.sink.pubsub.ordering.key=${local.server_name}
      data = {
        "application.properties" = <<-EOF
debezium.sink.type=pubsub
debezium.sink.pubsub.project.id=${var.project_id}
debezium.sink.pubsub.ordering.enabled=false
debezium.sink.pubsub.topic.prefix=${var.service_name}
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.topic.prefix=${var.service_name}
debezium.source.offset.storage.file.filename=/debezium/data/${local.db_name}/offsets.dat
debezium.source.offset.flush.interval.ms=0
debezium.source.database.hostname=127.0.0.1
debezium.source.database.port=5432
debezium.source.database.user=streamuser
debezium.source.database.password=${data.google_secret_manager_secret_version.stream_user_password.secret_data}
debezium.source.database.dbname=${local.db_name}
debezium.source.database.server.name=${local.server_name}
debezium.source.table.include.list=${local.tables_to_include_string}
debezium.source.slot.name=stream_replication_slot
debezium.source.slot.drop.on.stop=false
debezium.source.plugin.name=pgoutput
debezium.heartbeat.interval.ms=10000
EOF
      }
    }
  ]
  persistent_volumes = [
    {
      name                         = "debezium-data-volume"
      mount_path                   = "/debezium/data"
      read_only                    = false
      persistent_volume_claim_name = module.bucket_pv.persistent_volume_claim_name
    }
  ]
  project_id = var.project_id
}
