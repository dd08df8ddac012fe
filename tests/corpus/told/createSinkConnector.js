import axios from "axios";

// Fills a fresh database with the rows of one replicated table; its table is made on the way.
export class SinkProvisioner {
  constructor(baseURL) {
    this.http = axios.create({ baseURL });
  }

  async createSink(target, moduleId) {
    const { host, database, user, password } = target;
    const name = `${moduleId}`;
    try {
      await this.http.delete(`connectors/${name}`);
    } catch (e) {
      // not there yet
    }
    return this.http.post("/connectors", {
      name,
      "config": {
        "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
        "tasks.max": "1",
        "connection.url": `jdbc:postgresql://${host}/${database}?useSSL=true`,
        "connection.username": user,
        "connection.password": password,
        "insert.mode": "update",
        "table.types": "TABLE",
        "pk.mode": "record_value",
        "topics": 'portal.module.public.settings',
        "auto.create": "true",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter"
      }
    });
  }
}
