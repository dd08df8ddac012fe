package headtohead

// workerSpec is one Kafka Connect counterpart of an engine under test.
type workerSpec struct {
	Class         string
	PropsTemplate string
	Plugins       []string
}

// Rendered with text/template; the shape is what Debezium 2.7.x takes at
// PUT /connectors/<name>/config.
var workerSpecs = map[string]workerSpec{
	"pg": {
		Class: "io.debezium.connector.postgresql.PostgresConnector",
		PropsTemplate: `{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "{{.Host}}",
  "database.port": "{{.Port}}",
  "database.user": "{{.User}}",
  "database.password": "{{.Secret}}",
  "database.dbname": "{{.Db}}",
  "topic.prefix": "{{.Prefix}}",
  "table.include.list": "{{.Tables}}",
  "plugin.name": "pgoutput",
  "slot.name": "h2h_slot",
  "publication.autocreate.mode": "filtered",
  "snapshot.mode": "never",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}`,
		Plugins: []string{"debezium-connector-postgres*"},
	},
	"mssql": {
		Class: "io.debezium.connector.sqlserver.SqlServerConnector",
		// no_data: a fresh connector per sweep point has no offset, so it must read the schema
		PropsTemplate: `{
  "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
  "database.hostname": "{{.Host}}",
  "database.port": "{{.Port}}",
  "database.user": "{{.User}}",
  "database.password": "{{.Secret}}",
  "database.names": "{{.Db}}",
  "database.encrypt": "true",
  "driver.encrypt": "true",
  "driver.trustServerCertificate": "true",
  "topic.prefix": "{{.Prefix}}",
  "table.include.list": "{{.Tables}}",
  "schema.history.internal.kafka.bootstrap.servers": "{{.Brokers}}",
  "schema.history.internal.kafka.topic": "_h2h_history_{{.Prefix}}",
  "snapshot.mode": "no_data"
}`,
	},
	"mongo": {
		Class: "io.debezium.connector.mongodb.MongoDbConnector",
		PropsTemplate: `{
  "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
  "mongodb.connection.string": "mongodb://{{.Host}}:{{.Port}}/?replicaSet=rs0",
  "topic.prefix": "{{.Prefix}}",
  "collection.include.list": "{{.Tables}}",
  "capture.mode": "change_streams_update_full",
  "snapshot.mode": "never"
}`,
	},
	"s3": {
		Class: "io.aiven.kafka.connect.s3.AivenKafkaConnectS3SinkConnector",
		PropsTemplate: `{
  "connector.class": "io.aiven.kafka.connect.s3.AivenKafkaConnectS3SinkConnector",
  "topics": "{{.Topic}}",
  "aws.s3.bucket.name": "{{.Bucket}}",
  "aws.s3.region": "{{.Region}}",
  "file.name.template": "{{.Dir}}{{"{{"}}topic{{"}}"}}-{{"{{"}}partition{{"}}"}}-{{"{{"}}start_offset{{"}}"}}",
  "file.compression.type": "gzip",
  "format.output.type": "jsonl",
  "format.output.fields": "value",
  "consumer.override.auto.offset.reset": "earliest",
  "consumer.override.max.poll.records": "2000"
}`,
	},
}
