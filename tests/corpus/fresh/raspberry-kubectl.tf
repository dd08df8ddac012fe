resource "kubectl_manifest" "herbs_connector" {
  count = var.deploy_connector ? 1 : 0
  wait              = true
  server_side_apply = true
  yaml_body         = <<-EOF
    apiVersion: kafka.strimzi.io/v1beta2
    kind: KafkaConnector
    metadata:
        name: herbs
        namespace: ${kubernetes_namespace.kafka.metadata.0.name}
        labels:
            strimzi.io/cluster: my-connect
    spec:
        class: io.debezium.connector.postgresql.PostgresConnector
        tasksMax: 1
        config:
            database.hostname: pg-herbs.herbs 
            database.port: 5432
            database.user: postgres
            database.password: super_pwd
            database.dbname: herbs
            database.server.name: herbs-debezium
            slot.name: slot_herbs  
            #table.include.list: public.jars
            plugin.name: pgoutput
            #topic.creation.default.replication.factor: 1
            decimal.handling.mode: double
    EOF
}
