export const connectors = [
  {
    name: "cloud.permits.debezium.cdc",
    config: {
      "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
      "database.hostname": process.env.legacyDbHost,
      "database.port": process.env.legacyDbPort,
      "database.user": process.env.legacyDbUser,
      "database.password": process.env.legacyDbPassword,
      "database.names": "PERMITS",
      "topic.prefix": `${process.env.topicNamespace}cloud.permits.debezium.cdc`,
      "database.server.name": `${process.env.topicNamespace}cloud.permits.debezium.cdc`,
      "table.include.list":
        "dbo.Case_Officers, dbo.Case_Types, dbo.Components, dbo.Email, dbo.Permit_Plan,dbo.Regions, dbo.Permit_Services",
      "column.exclude.list":
        "dbo.Permit_Plan.Changed_Date,dbo.Case_Officers.replica_timestamp,dbo.Case_Types.replica_timestamp,dbo.Components.replica_timestamp,dbo.Email.replica_timestamp,dbo.Permit_Plan.replica_timestamp,dbo.Regions.replica_timestamp,dbo.Permit_Services.replica_timestampdbo.Case_Officers.replica_id,dbo.Case_Types.replica_id,dbo.Components.replica_id,dbo.Email.replica_id,dbo.Permit_Plan.replica_id,dbo.Regions.replica_id,dbo.Permit_Services.replica_id",
      "skip.messages.without.change": true,
      "schema.history.internal.kafka.topic": `${process.env.topicNamespace}cloud.permits.debezium.cdc.dbHistory`,
      "schema.history.internal.kafka.bootstrap.servers":
        process.env.bootstrapBrokerStringTls,
      "schema.history.internal.producer.security.protocol": "SSL",
      "schema.history.internal.consumer.security.protocol": "SSL",
      "decimal.handling.mode": "double",
      "database.encrypt": false,
      "poll.interval.ms": 200,
    },
  },
];
