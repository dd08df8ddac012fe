package handlers

import (
	"bytes"
	"encoding/json"
	"strings"

	"example.org/connectctl/settings"
	"example.org/connectctl/transport"
)

// PutConnector creates or changes the connector of one table.
func PutConnector(c settings.Connector) error {
	url := settings.Current.Connect.Url + "/connectors/" + c.Name + "/config"
	body, err := json.Marshal(connectorConfig(c))
	if err != nil {
		return err
	}
	return transport.Put(url, bytes.NewBuffer(body))
}

func connectorConfig(c settings.Connector) map[string]interface{} {

	config := make(map[string]interface{})
	transforms := []string{}

	config["database.server.name"] = c.Name
	config["max.retries"] = 3
	config["database.server.id"] = c.ID
	config["database.hostname"] = settings.Current.Db.Host
	config["database.user"] = settings.Current.Db.User
	config["database.password"] = settings.Current.Db.Password
	config["database.history.kafka.bootstrap.servers"] = settings.Current.Kafka.Brokers
	config["database.history.kafka.topic"] = "cdc.history." + c.Table
	config["database.history.skip.unparseable.ddl"] = true
	config["database.include.list"] = settings.Current.Db.Name
	config["table.include.list"] = c.Table
	config["snapshot.mode"] = "schema_only"
	config["snapshot.locking.mode"] = "none"
	config["snapshot.delay.ms"] = 0
	config["include.query"] = false
	config["binlog.buffer.size"] = 0
	config["decimal.handling.mode"] = "double"

	if !c.WithSchema {
		config["value.converter"] = "org.apache.kafka.connect.json.JsonConverter"
		config["value.converter.schemas.enable"] = "false"
		transforms = append(transforms, "unwrap")
	}

	if !c.WithTombstones {
		config["transforms.unwrap.type"] = "io.debezium.transforms.ExtractNewRecordState"
		config["transforms.unwrap.drop.tombstones"] = true
		config["transforms.unwrap.delete.handling.mode"] = "rewrite"
		transforms = append(transforms, "Merge")
	}

	// TODO other databases
	config["connector.class"] = "io.debezium.connector.mysql.MySqlConnector"

	if c.Topic != "" {
		config["transforms.Merge.type"] = "io.debezium.transforms.ByLogicalTableRouter"
		config["transforms.Merge.topic.regex"] = c.Name + "." + c.Table
		config["transforms.Merge.topic.replacement"] = c.Topic
	}

	config["transforms"] = strings.Join(transforms[:], ",")

	return config
}
