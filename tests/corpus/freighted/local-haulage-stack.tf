# Docker on the laptop: Postgres, Redpanda, Connect
resource "docker_container" "pg" {
  name    = "haulage-pg"
  image   = "postgres:16"
  command = ["postgres", "-c", "wal_level=logical"]
  env     = ["POSTGRES_USER=haul_user", "POSTGRES_PASSWORD=password", "POSTGRES_DB=haulagejobs"]
  networks_advanced {
    name = docker_network.haul.name
  }
}

resource "docker_container" "connect" {
  name  = "connect"
  image = "quay.io/debezium/connect:2.7"
  env = [
    "BOOTSTRAP_SERVERS=redpanda:9092",
    "GROUP_ID=haulage",
    "CONFIG_STORAGE_TOPIC=haulage_configs",
    "OFFSET_STORAGE_TOPIC=haulage_offsets",
    "STATUS_STORAGE_TOPIC=haulage_statuses",
  ]
  networks_advanced {
    name = docker_network.haul.name
  }
  ports {
    internal = 8083
    external = 8083
  }
}

# give the REST interface time to come up
resource "time_sleep" "connect_ready" {
  create_duration = "75s"
  depends_on      = [docker_container.connect]
}

provider "kafka-connect" {
  url = "http://localhost:8083"
}

resource "kafka-connect_connector" "haulage" {
  name = "haulage-cdc"
  config = {
    "name"              = "haulage-cdc"
    "connector.class"   = "io.debezium.connector.postgresql.PostgresConnector"
    "database.hostname" = "haulage-pg"
    "database.port"     = "5432"
    "database.user"     = "haul_user"
    "database.password" = "password"
    "database.dbname"   = "haulagejobs"
    "topic.prefix"      = "haul"
    "plugin.name"       = "pgoutput"
  }
  depends_on = [time_sleep.connect_ready]
}
