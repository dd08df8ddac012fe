locals {
  mongo_config = {
    "connector.class"           = "io.debezium.connector.mongodb.MongoDbConnector"
    "tasks.max"                 = "1"
    "mongodb.connection.string" = "mongodb+srv://insured.k3x9q.mongodb.net/?retryWrites=true"
    "mongodb.user"              = var.mongo_user
    "topic.prefix"              = "insured"
    "database.include.list"     = "insured"
    "collection.include.list"   = "insured.customers,insured.claims"
    # personal data stays here
    "field.exclude.list"        = "customers.ssn,customers.bank.iban"
    "capture.scope"             = "database"
    "capture.target"            = "insured"
    "snapshot.mode"             = "initial"
    "key.converter"             = "org.apache.kafka.connect.json.JsonConverter"
    "value.converter"           = "org.apache.kafka.connect.json.JsonConverter"
  }
}

resource "kafka-connect_connector" "insured" {
  name             = "insured-mongo"
  config           = merge(local.mongo_config, { "name" = "insured-mongo" })
  config_sensitive = { "mongodb.password" = var.mongo_password }
}
