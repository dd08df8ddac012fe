variable "with_cdc" {
  type    = bool
  default = true
}

resource "kubectl_manifest" "cdc" {
  count             = var.with_cdc ? 1 : 0
  wait              = true
  server_side_apply = true
  yaml_body         = <<-EOT
    apiVersion: kafka.strimzi.io/v1beta2
    kind: KafkaConnector
    metadata:
        name: homelab-cdc
        namespace: ${kubernetes_namespace.streams.metadata.0.name}
        labels:
            strimzi.io/cluster: lab-connect
    spec:
        class: io.debezium.connector.postgresql.PostgresConnector
        tasksMax: 1
        config:
            database.hostname: pg-lab.databases
            database.port: 5432
            database.user: postgres
            database.password: lab_pwd
            database.dbname: lab
            database.server.name: lab-cdc
            plugin.name: pgoutput
            slot.name: slot_lab
            decimal.handling.mode: double
            #table.include.list: public.sensors
            #topic.creation.enable: true
            #topic.creation.default.partitions: 1
            #topic.creation.default.replication.factor: 1
            #topic.creation.default.cleanup.policy: compact
    EOT
}
