package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

// adsSource is the Debezium MySQL source of the campaign database.
func adsSource() map[string]string {
	return map[string]string{
		"connector.class":    "io.debezium.connector.mysql.MySqlConnector",
		"tasks.max":          "1",
		"database.hostname":  os.Getenv("ADS_DB_HOST"),
		"database.port":      "3306",
		"database.user":      os.Getenv("ADS_DB_USER"),
		"database.password":  os.Getenv("ADS_DB_PASSWORD"),
		"database.server.id": "99041",
		"topic.prefix":       "ads",
		"table.include.list": "ads.campaign,ads.budget,ads.impression_day",

		// bigger polls: the impressions come in bursts
		"max.batch.size":   "8192",
		"max.queue.size":   "8192",
		"poll.interval.ms": "100",

		"snapshot.mode":        "initial",
		"skipped.operations":   "truncate,delete",
		"include.query":        "false",
		"tombstones.on.delete": "false",

		"schema.history.internal.kafka.bootstrap.servers": os.Getenv("BROKERS"),
		"schema.history.internal.kafka.topic":             "ads.schema-changes",
	}
}

func main() {
	body, err := json.Marshal(adsSource())
	if err != nil {
		log.Fatal(err)
	}
	url := fmt.Sprintf("%s/connectors/ads-source/config", os.Getenv("CONNECT_URL"))
	req, _ := http.NewRequest(http.MethodPut, url, bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	res, err := (&http.Client{Timeout: 15 * time.Second}).Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	log.Printf("ads-source: %s", res.Status)
}
