package cdc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"ledger/config"
)

// Registration is the body that Kafka Connect expects.
type Registration struct {
	Name   string                 `json:"name"`
	Config map[string]interface{} `json:"config"`
}

// Manager registers connectors with the Connect worker.
type Manager struct {
	cfg *config.App
}

func (m *Manager) register(r Registration) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	resp, err := http.Post(m.cfg.CDC.ConnectURL, "application/json", bytes.NewBuffer(body))
	if err != nil {
		return fmt.Errorf("post: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated && resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("connect said %d: %s", resp.StatusCode, text)
	}
	return nil
}

// RegisterLedgerOutbox makes the connector that reads the outbox of the ledger.
func (m *Manager) RegisterLedgerOutbox() error {
	return m.register(Registration{
		Name: "ledger-outbox",
		Config: map[string]interface{}{
			"connector.class":                               "io.debezium.connector.postgresql.PostgresConnector",
			"topic.prefix":                                  "ledger",
			"database.server.name":                          "ledgerserver",
			"database.hostname":                             m.cfg.CDC.Host,
			"database.port":                                 m.cfg.CDC.Port,
			"database.dbname":                               m.cfg.CDC.Name,
			"database.user":                                 m.cfg.CDC.User,
			"database.password":                             m.cfg.CDC.Password,
			"plugin.name":                                   "pgoutput",
			"table.include.list":                            m.cfg.CDC.Table,
			"snapshot.mode":                                 "never",
			"skipped.operations":                            "u,d",
			"heartbeat.interval.ms":                         "10000",
			"transforms":                                    "unwrap",
			"transforms.unwrap.type":                        "io.debezium.transforms.ExtractNewRecordState",
			"key.converter":                                 "org.apache.kafka.connect.json.JsonConverter",
			"value.converter":                               "org.apache.kafka.connect.json.JsonConverter",
			"event.processing.failure.handling.mode":        "skip",
			"errors.tolerance":                              "all",
			"errors.retry.delay.max.ms":                     "1000",
			"errors.deadletterqueue.topic.name":             "ledger-deadletter",
			"errors.deadletterqueue.context.headers.enable": "true",
		},
	})
}
