# Sets up Debezium Server next to the backend and writes one configuration per kind of database.
param([string]$ExtractDir = "$PSScriptRoot\..\tools\debezium-server")

function Write-RelayConfig {
    # Debezium Server reads config\, not conf\
    $configDir = "$ExtractDir\config"
    New-Item -ItemType Directory -Path $configDir -Force | Out-Null
    New-Item -ItemType Directory -Path "$PSScriptRoot\..\data\relay" -Force | Out-Null

    $common = @"
# ---- sink: Redis Streams ----
debezium.sink.type=redis
debezium.sink.redis.address=127.0.0.1:6379
debezium.sink.redis.stream-type=stream

# ---- snapshot: never, the full import has run already; start at the present position of the log ----
debezium.source.snapshot.mode=never

# ---- position ----
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=data/relay/position.dat
debezium.source.offset.flush.interval.ms=5000
quarkus.log.console.json=false
"@

    $sources = @{
        "mysql" = @"

# ---- source: MySQL ----
debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector
debezium.source.database.hostname=127.0.0.1
debezium.source.database.port=3306
debezium.source.database.user=relay
debezium.source.database.password=changeme
debezium.source.database.server.id=1
debezium.source.topic.prefix=atlas
debezium.source.database.include.list=staff
debezium.source.table.include.list=staff.people,staff.teams,staff.members
"@
        "sqlserver" = @"

# ---- source: SQL Server ----
debezium.source.connector.class=io.debezium.connector.sqlserver.SqlServerConnector
debezium.source.database.hostname=127.0.0.1
debezium.source.database.port=1433
debezium.source.database.user=relay
debezium.source.database.password=changeme
debezium.source.database.dbname=master
debezium.source.topic.prefix=atlas
debezium.source.schema.include.list=dbo
"@
    }

    $count = 0
    foreach ($kind in $sources.Keys) {
        if (-not (Test-Path "$ExtractDir\connectors\debezium-connector-$kind")) { continue }
        $text = "# Debezium Server - $kind`n" + $common + $sources[$kind]
        $utf8 = New-Object System.Text.UTF8Encoding($false)
        [System.IO.File]::WriteAllText("$configDir\application.properties.$kind", $text, $utf8)
        $count++
    }
    if (Test-Path "$configDir\application.properties.mysql") {
        Copy-Item "$configDir\application.properties.mysql" "$configDir\application.properties" -Force
    }
    Write-Host "  $count configuration(s) written" -ForegroundColor Green
    return $count -gt 0
}

if (Write-RelayConfig) {
    Start-Process -FilePath "$ExtractDir\run.bat" -WorkingDirectory $ExtractDir -WindowStyle Hidden
}
