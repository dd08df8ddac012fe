// Package cdc registers the Debezium connector of the ledger.
//
// Reported as: "connector RUNNING, not one topic, neither snapshot nor changes".
// The collections in question, from mongosh:
//
//	rs0 [primary] ledger> show collections
//	entries
//	payouts
package cdc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

var ledgerConfig = map[string]string{
	"connector.class":                "io.debezium.connector.mongodb.MongoDbConnector",
	"tasks.max":                      "1",
	"mongodb.connection.string":      "mongodb://mongo-0.mongo:27017,mongo-1.mongo:27017/?replicaSet=rs0",
	"mongodb.user":                   "cdc",
	"mongodb.password":               os.Getenv("LEDGER_CDC_PASSWORD"),
	"topic.prefix":                   "fin",
	"database.include.list":          "ledger",
	"collection.include.list":        "entries,payouts",
	"capture.mode":                   "change_streams_update_full",
	"snapshot.mode":                  "initial",
	"key.converter":                  "org.apache.kafka.connect.json.JsonConverter",
	"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
	"value.converter.schemas.enable": "false",
}

// Ensure creates or updates the connector.
func Ensure(client *http.Client, connectURL string) error {
	body, err := json.Marshal(ledgerConfig)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPut, connectURL+"/connectors/ledger/config", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("connect answered %s", res.Status)
	}
	return nil
}
