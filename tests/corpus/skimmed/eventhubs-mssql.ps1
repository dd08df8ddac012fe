# Registers the SQL Server source on the Connect pod; every table goes to one event hub
param(
    [string]$namespace, [string]$name, [string]$hostname, [string]$port, [string]$user, [string]$password,
    [string]$dbname, [string]$prefix, [string]$tables, [string]$masterHub,
    [string]$blobConnection, [string]$blobContainer, [string]$blobName
)

$connector = @{
    name   = $name
    config = @{
        "connector.class"    = "io.debezium.connector.sqlserver.SqlServerConnector"
        "database.hostname"  = $hostname
        "database.port"      = $port
        "database.user"      = $user
        "database.password"  = $password
        "database.names"     = $dbname
        "topic.prefix"       = $prefix
        "table.include.list" = $tables
        "schema.history.internal" = "io.debezium.storage.azure.blob.history.AzureBlobSchemaHistory"
        "schema.history.internal.azure.storage.account.connectionstring" = $blobConnection
        "schema.history.internal.azure.storage.account.container.name"   = $blobContainer
        "schema.history.internal.azure.storage.blob.name"                = $blobName
        "transforms"                           = "Reroute"
        "transforms.Reroute.type"              = "io.debezium.transforms.ByLogicalTableRouter"
        "transforms.Reroute.topic.regex"       = "(.*)([^0-9]).*"
        "transforms.Reroute.topic.replacement" = $masterHub
        "retries"                    = "2147483647"
        "errors.retry.timeout"       = "-1"
        "errors.retry.delay.max.ms"  = "300000"
        "errors.log.enable"          = "true"
        "errors.tolerance"           = "all"
        "database.sqlserver.agent.status.query" = "SELECT dbo.func_agent_is_up()"
        "decimal.handling.mode"      = "double"
        "driver.encrypt"             = "true"
        "driver.trustServerCertificate" = "true"
        "snapshot.mode"              = "schema_only"
        "topic.creation.default.replication.factor" = "1"
        "topic.creation.default.partitions"         = "4"
        "topic.creation.default.cleanup.policy"     = "delete"
    }
}

$pod = kubectl get pod -n $namespace -l app=connect -o jsonpath='{.items[0].metadata.name}'
$connector | ConvertTo-Json -Depth 4 | kubectl exec -n $namespace -i $pod -- `
    curl -s -X POST -H 'Content-Type: application/json' -d '@-' http://localhost:8083/connectors
