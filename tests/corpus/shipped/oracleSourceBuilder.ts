// @core/services/connectors/oracleSourceBuilder.ts

import { IConnectorConfig, ConnectorType } from "@core/models/type.js";
import { IConnectorBuilder, IConnectorBuildData } from "../IConnectorBuilder.js";

export class OracleSourceBuilder implements IConnectorBuilder {
  name = "oracle";
  type: ConnectorType = "source";

  build(buildData: IConnectorBuildData): IConnectorConfig {
    const { name, flow } = buildData;
    const kafkaServer = process.env.KAFKA_SERVER || "localhost:9092";
    const connection = flow.sourceConnection;

    const database = connection.database.replace(/\./g, "_");
    const topicPrefix = connection.host.replace(/\./g, "_");
    const schema = connection.username;

    const tables = flow.sourceTables
      .filter((t) => t.isSelected)
      .map((t) => `${schema}.${t.name}`);

    const columns = flow.sourceTables.flatMap((table) =>
      table.isSelected
        ? table.columns
            .filter((col) => col.isSelected)
            .map((col) => `${schema}.${table.name}.${col.name}`)
        : []
    );

    return {
      name: name?.source,
      config: {
        "connector.class": "io.debezium.connector.oracle.OracleConnector",
        "tasks.max": "1",
        "database.hostname": connection.host,
        "database.port": connection.port.toString(),
        "database.user": connection.username,
        "database.password": connection.password,
        "database.names": connection.database,
        "database.server.name": database,
        "database.dbname": "XE", // ถ้ามีชื่ออื่น ให้ใช้ connection.database
        "database.pdb.name": connection.database,
        "database.connection.adapter": "olr",
        "openlogreplicator.source": "O19",
        "openlogreplicator.host": "10.20.0.41",
        "openlogreplicator.port": "8088",

        // ไม่ต้องเข้ารหัส
        "database.encrypt": "false",

        // ชื่อเต็มพร้อม schema
        "table.include.list": tables.join(","),
        "column.include.list": columns.join(","),

        "topic.prefix": topicPrefix,
        "schema.history.internal.kafka.bootstrap.servers": kafkaServer,
        "schema.history.internal.kafka.topic": `schema_history.${database}`,
        "database.history.kafka.bootstrap.servers": kafkaServer,
        "database.history.kafka.topic": `dbhistory.${database}`,

        "snapshot.mode": "initial",
        "snapshot.fetch.size": 30000,
        "snapshot.mode.parallel": true,
        "snapshot.num.threads": 4,

        "datatype.propagate.source.type": "true",
        "time.precision.mode": "connect",
        "decimal.handling.mode": "double",

        "key.converter.schemas.enable": "true",
        "value.converter.schemas.enable": "true",
      },
    };
  }
}
