# Connect in the cluster, and a job that creates the connector.
resource "kubernetes_deployment" "connect" {
  metadata {
    name      = "connect"
    namespace = kubernetes_namespace.lake.metadata[0].name
  }
  spec {
    replicas = 1
    selector {
      match_labels = { app = "connect" }
    }
    template {
      metadata {
        labels = { app = "connect" }
      }
      spec {
        container {
          name  = "connect"
          image = "debezium/connect:2.5"
          env {
            name  = "BOOTSTRAP_SERVERS"
            value = "broker:9092"
          }
          env {
            name  = "GROUP_ID"
            value = "lake"
          }
          env {
            name  = "CONFIG_STORAGE_TOPIC"
            value = "lake_configs"
          }
          env {
            name  = "OFFSET_STORAGE_TOPIC"
            value = "lake_offsets"
          }
          env {
            name  = "STATUS_STORAGE_TOPIC"
            value = "lake_statuses"
          }
          port {
            container_port = 8083
          }
        }
      }
    }
  }
}

resource "kubernetes_job" "connector" {
  metadata {
    name      = "connector"
    namespace = kubernetes_namespace.lake.metadata[0].name
  }
  wait_for_completion = false
  depends_on          = [kubernetes_deployment.connect]

  spec {
    backoff_limit = 5
    template {
      metadata {
        labels = { app = "connector" }
      }
      spec {
        restart_policy = "OnFailure"
        container {
          name  = "post"
          image = "curlimages/curl:8.7.1"
          env_from {
            secret_ref {
              name = kubernetes_secret.shop_db.metadata[0].name # DB_USER, DB_PASSWORD
            }
          }
          command = ["/bin/sh", "-c"]
          args = [
            <<-EOT
            n=0
            until curl -sf -o /dev/null http://connect:8083; do
              n=$((n+1))
              [ $n -gt 12 ] && { echo "Connect does not answer"; exit 1; }
              sleep 5
            done
            code=$(curl -s -w "%%{http_code}" -o /tmp/answer -X POST http://connect:8083/connectors \
              -H "Content-Type: application/json" \
              -d '{
                "name": "shop-source",
                "config": {
                  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                  "tasks.max": "1",
                  "database.hostname": "shop-postgres",
                  "database.port": "5432",
                  "database.user": "'"$DB_USER"'",
                  "database.password": "'"$DB_PASSWORD"'",
                  "database.dbname": "shop",
                  "topic.prefix": "oltp",
                  "plugin.name": "pgoutput",
                  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                  "key.converter.schemas.enable": "false",
                  "value.converter.schemas.enable": "false",
                  "snapshot.mode": "initial",
                  "decimal.handling.mode": "double"
                }
              }')
            cat /tmp/answer
            case "$code" in 200|201|409) ;; *) exit 1 ;; esac
            EOT
          ]
        }
      }
    }
  }
}
