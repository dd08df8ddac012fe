<#
 .SYNOPSIS
   Brings the configuration of the connector "turnstile" up to date (idempotent).
 .NOTES
   Fails with: Cannot deserialize value of type `java.lang.String` from Object value (token `JsonToken.START_OBJECT`)
   (through reference chain: java.util.LinkedHashMap["config"])
   The first installation, with the same body and POST /connectors, had worked.
#>
param(
    [string] $ConnectUrl = 'http://connect.stadium.local:8083',
    [Parameter(Mandatory)] [string] $DbPassword
)

$body = @{
    name   = 'turnstile'
    config = @{
        'connector.class'                                 = 'io.debezium.connector.sqlserver.SqlServerConnector'
        'tasks.max'                                       = '1'
        'database.hostname'                               = 'sql01.stadium.local'
        'database.port'                                   = '1433'
        'database.user'                                   = 'svc_turnstile_cdc'
        'database.password'                               = $DbPassword
        'database.names'                                  = 'Access'
        'topic.prefix'                                    = 'stadium'
        'table.include.list'                              = 'dbo.Passage,dbo.Gate'
        'schema.history.internal.kafka.bootstrap.servers' = 'kafka1.stadium.local:9092'
        'schema.history.internal.kafka.topic'             = 'stadium.access.history'
        'driver.encrypt'                                  = 'false'
        'poll.interval.ms'                                = '250'
    }
}

$json = $body | ConvertTo-Json -Depth 4
$reply = Invoke-RestMethod -Method Put -Uri "$ConnectUrl/connectors/turnstile/config" -Body $json -ContentType 'application/json'
$reply.tasks | Format-Table

Start-Sleep -Seconds 5
(Invoke-RestMethod "$ConnectUrl/connectors/turnstile/status").tasks | Select-Object id, state
