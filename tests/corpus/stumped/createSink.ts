// Reported with the words: "auto.create is true, but Debezium never creates the missing table in PostgreSQL."
// The table is not there yet when the plugin is switched on; broker is Redpanda 23.2.
import { ConnectorApi } from "./connector-api";

interface SinkConnect {
  connect: { host: string; database: string; user: string; password: string };
}

export class PluginReplication {
  constructor(private readonly connectorApi: ConnectorApi) {}

  async createConnectorSink(sinkConnection: SinkConnect, pluginId: string) {
    const { host, database, user, password } = sinkConnection.connect;
    const name = `${pluginId}`;
    try {
      await this.connectorApi.delete(`connectors/${name}`);
    } catch (e) {
      // was not there
    }
    return this.connectorApi.post("/connectors", {
      name,
      config: {
        "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
        "tasks.max": "1",
        "connection.url": `jdbc:postgresql://${host}/${database}`,
        "connection.username": user,
        "connection.password": password,
        "insert.mode": "insert",
        "topics": "portal.addon.public.switches",
        "auto.create": "true",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "true",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "true",
      },
    });
  }
}
