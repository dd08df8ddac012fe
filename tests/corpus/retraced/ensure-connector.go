package cdcsetup

import (
	"net/http"
	"strings"
)

const connectURL = "http://cdc_connect:8083/connectors/"

const notesConnector = `{
    "name": "notes_source",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "notesdb",
      "database.port": "5432",
      "database.dbname": "notes",
      "database.user": "postgres",
      "database.password": "password",
      "database.server.name": "notesdb",
      "topic.prefix": "notesdb",
      "tasks.max": "1",
      "schema.include.list": "public",
      "table.include.list": "public.notes",
      "include.schema.changes": "true",
      "database.history.kafka.bootstrap.servers": "broker:9092",
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "key.converter.schemas.enable": "false",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false"
    }
  }`

func EnsureNotesSource() error {
	found, err := http.Get(connectURL + "notes_source")
	if err != nil {
		panic(err)
	}
	defer found.Body.Close()

	if found.StatusCode == 200 {
		return nil
	}

	if _, err := http.Post(connectURL, "application/json", strings.NewReader(notesConnector)); err != nil {
		panic(err)
	}
	return nil
}
