-- Writes the flattened parcel snapshots to the integration database (managed sink in the cloud).
-- Fill in the masked values in the console before running, do not commit them.
CREATE SINK CONNECTOR `ParcelRegisterConnector` with (
    "topics"= 'parcel.snapshot.flat.register',
    "input.data.format"= 'JSON_SR',
    "input.key.format"= 'JSON_SR',
    "delete.enabled"= false,
    "connector.class"= 'PostgresSink',
    "name"= 'ParcelRegisterConnector',
    "kafka.auth.mode"= 'KAFKA_API_KEY',
    "kafka.api.key"= '***', --masked
    "kafka.api.secret"= '***', --masked
    "connection.host"= '***', --masked
    "connection.port"= '5432',
    "connection.user"= '***', --masked
    "connection.password"= '***', --masked
    "db.name"= 'register',
    "ssl.mode"= 'require',
    "insert.mode"= 'UPSERT',
    "table.name.format"= 'Register.Parcels',
    "table.types"= 'TABLE',
    "db.timezone"= 'UTC',
    "pk.mode"= 'record_key',
    "pk.fields"= 'ParcelId',
    "auto.create"= false,
    "auto.evolve"= false,
    "quote.sql.identifiers"= 'ALWAYS',
    "batch.sizes"= 2000,
    "tasks.max"= 1
  );
