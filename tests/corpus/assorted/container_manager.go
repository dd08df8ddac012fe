package env

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// registerStarts creates the connector that turns new runs of a workflow into start messages.
// Later changes of a run are not of interest here, only its creation.
func (m *Manager) registerStarts() error {
	body := fmt.Sprintf(`{
		"name": "%s",
		"config": {
			"connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
			"mongodb.connection.string": "%s",
			"topic.prefix": "runs",
			"database.include.list": "%s",
			"collection.include.list": "%s",

			"key.converter": "org.apache.kafka.connect.json.JsonConverter",
			"key.converter.schemas.enable": false,
			"value.converter": "org.apache.kafka.connect.json.JsonConverter",
			"value.converter.schemas.enable": false,

			"transforms": "created,doc",

			"transforms.created.type": "io.debezium.transforms.Filter",
			"transforms.created.language": "jsr223.groovy",
			"transforms.created.condition": "value.op == 'c'",

			"transforms.doc.type": "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState"
		}
	}`,
		m.cfg.StartsConnector,
		m.cfg.MongoURI(),
		m.cfg.RunsDatabase,
		m.cfg.RunsDatabase+"."+m.cfg.RunsCollection,
	)

	var last error
	for i := 0; i < m.cfg.Attempts; i++ {
		resp, err := http.Post(m.connectURL+"/connectors", "application/json", strings.NewReader(body))
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusCreated || resp.StatusCode == http.StatusConflict {
				return nil
			}
			err = fmt.Errorf("connect answered %s", resp.Status)
		}
		last = err
		time.Sleep(2 * time.Second)
	}
	return last
}
