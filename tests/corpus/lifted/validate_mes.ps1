# Asks Connect whether it would accept our config, and creates the connector if so. Run it here: .\validate_mes.ps1
$class = 'io.debezium.connector.sqlserver.SqlServerConnector'
$config = @{
    "connector.class" = $class
    "tasks.max" = "1"
    "database.hostname" = "host.docker.internal"
    "database.port" = "1433"
    "database.user" = "debezium"
    "database.password" = "secret"
    "database.names" = "plant_new"
    "database.server.name" = "plant_server"
    "table.include.list" = "dbo.JobCard"
    "schema.history.internal.kafka.bootstrap.servers" = "kafka:29092"
    "schema.history.internal.kafka.topic" = "ddl.plant_new"
    "database.encrypt" = "false"
    "database.trustServerCertificate" = "true"
}

$url = "http://localhost:8083/connector-plugins/$class/config/validate"
$body = $config | ConvertTo-Json -Depth 5
try {
    $answer = Invoke-RestMethod -Uri $url -Method Put -ContentType "application/json" -Body $body
    Write-Host "errors: $($answer.error_count)"
    $answer.configs | Where-Object { $_.value.errors.Count -gt 0 } |
        ForEach-Object { Write-Host "$($_.value.name): $($_.value.errors -join '; ')" }
    if ($answer.error_count -eq 0) {
        $create = @{ name = "plant-jobcards"; config = $config } | ConvertTo-Json -Depth 5
        Invoke-RestMethod -Uri "http://localhost:8083/connectors" -Method Post -ContentType "application/json" -Body $create
    }
} catch {
    Write-Host "failed: $($_.Exception.Message)"
}
