package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"parcelhub/configs"
)

// Connector is what Kafka Connect wants to see in a POST.
type Connector struct {
	Name   string                 `json:"name"`
	Config map[string]interface{} `json:"config"`
}

type ConnectorManager struct {
	cfg *configs.App
}

func NewConnectorManager(cfg *configs.App) *ConnectorManager {
	return &ConnectorManager{cfg: cfg}
}

func (m *ConnectorManager) create(c Connector) error {
	body, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode connector: %w", err)
	}

	resp, err := http.Post(m.cfg.CDC.ConnectURL, "application/json", bytes.NewBuffer(body))
	if err != nil {
		return fmt.Errorf("post connector: %w", err)
	}
	defer resp.Body.Close()

	if resp.StatusCode != http.StatusCreated && resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("connect said %d: %s", resp.StatusCode, string(text))
	}
	return nil
}

// CreateOutboxConnector registers the source of the outbox table.
func (m *ConnectorManager) CreateOutboxConnector() error {
	return m.create(Connector{
		Name: "parcel-outbox-connector",
		Config: map[string]interface{}{
			"connector.class":        "io.debezium.connector.postgresql.PostgresConnector",
			"plugin.name":            "pgoutput",
			"database.hostname":      m.cfg.CDC.Host,
			"database.port":          m.cfg.CDC.Port,
			"database.user":          m.cfg.CDC.Username,
			"database.password":      m.cfg.CDC.Password,
			"database.dbname":        m.cfg.CDC.Database,
			"database.server.name":   "parcelserver",
			"topic.prefix":           "parcel",
			"table.include.list":     m.cfg.CDC.Table,
			"transforms":             "unwrap",
			"transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
			"key.converter":          "org.apache.kafka.connect.json.JsonConverter",
			"value.converter":        "org.apache.kafka.connect.json.JsonConverter",
			"skipped.operations":     "u,d",
			"snapshot.mode":          "never",
			"heartbeat.interval.ms":  "10000",
			"event.processing.failure.handling.mode":        "skip",
			"errors.tolerance":                              "all",
			"errors.retry.delay.max.ms":                     "1000",
			"errors.deadletterqueue.topic.name":             "parcel-deadletter",
			"errors.deadletterqueue.context.headers.enable": "true",
		},
	})
}
