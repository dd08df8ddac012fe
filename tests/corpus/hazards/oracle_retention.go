package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net/http"
	"os"
)

// Batch jobs of the core system sometimes hang with an open transaction for days.
// Such transactions are given up after six hours so that the buffer stays small.
var config = map[string]string{
	"connector.class":                                 "io.debezium.connector.oracle.OracleConnector",
	"tasks.max":                                       "1",
	"database.hostname":                               os.Getenv("CORE_ORA_HOST"),
	"database.port":                                   "1521",
	"database.user":                                   os.Getenv("CORE_ORA_USER"),
	"database.password":                               os.Getenv("CORE_ORA_PASSWORD"),
	"database.dbname":                                 "CORE",
	"topic.prefix":                                    "core",
	"table.include.list":                              "CORE.BOOKING",
	"log.mining.transaction.retention.hours":          "6",
	"log.mining.strategy":                             "online_catalog",
	"schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
	"schema.history.internal.kafka.topic":             "core.history",
}

// runs against quay.io/debezium/connect:3.1
func main() {
	body, err := json.Marshal(config)
	if err != nil {
		log.Fatal(err)
	}
	req, _ := http.NewRequest(http.MethodPut, os.Getenv("CONNECT_URL")+"/connectors/core-booking/config", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	log.Println(res.Status)
}
