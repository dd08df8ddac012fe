# Managed Connect in front of the lakehouse: two append-only tables, both created in bigquery.tf

resource "google_managed_kafka_connector" "tram_positions" {
  project         = var.project_id
  connector_id    = "tram-positions-bq"
  connect_cluster = google_managed_kafka_connect_cluster.main.connect_cluster_id
  location        = var.region

  configs = {
    "name"                           = "tram-positions-bq"
    "project"                        = var.project_id
    "topics"                         = google_managed_kafka_topic.tram_positions.topic_id
    "tasks.max"                      = "3"
    "connector.class"                = "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector"
    "key.converter"                  = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
    "defaultDataset"                 = google_bigquery_dataset.transit.dataset_id
  }

  provider = google-beta
}

resource "google_managed_kafka_connector" "delay_alerts" {
  project         = var.project_id
  connector_id    = "delay-alerts-bq"
  connect_cluster = google_managed_kafka_connect_cluster.main.connect_cluster_id
  location        = var.region

  configs = {
    "name"                           = "delay-alerts-bq"
    "project"                        = var.project_id
    "topics"                         = google_managed_kafka_topic.delay_alerts.topic_id
    "tasks.max"                      = "1"
    "connector.class"                = "com.wepay.kafka.connect.bigquery.BigQuerySinkConnector"
    "key.converter"                  = "org.apache.kafka.connect.storage.StringConverter"
    "value.converter"                = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter.schemas.enable" = "false"
    "defaultDataset"                 = google_bigquery_dataset.transit.dataset_id
  }

  provider = google-beta
}
