$ErrorActionPreference = "Stop"
$Top = Split-Path -Parent $PSScriptRoot
Set-Location $Top

if (-not (Test-Path ".env")) {
  Copy-Item ".env.sample" ".env"
}

docker compose up -d --build

function Wait-Url($url, $max) {
  for ($i = 0; $i -lt $max; $i++) {
    try {
      Invoke-WebRequest -Uri $url -UseBasicParsing -TimeoutSec 3 | Out-Null
      return
    } catch {
      Start-Sleep -Seconds 2
    }
  }
  throw "$url did not come up"
}

Wait-Url "http://localhost:8083/connectors" 60
Wait-Url "http://localhost:8080/api/v1/health" 60

$pw = "cashview"
if (Test-Path ".env") {
  Get-Content ".env" | ForEach-Object {
    if ($_ -match "^\s*PG_PASSWORD=(.*)$") { $pw = $Matches[1].Trim() }
  }
}

$conf = @{
  "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
  "database.hostname" = "postgres"
  "database.port" = "5432"
  "database.user" = "cashview"
  "database.password" = $pw
  "database.dbname" = "cashview"
  "topic.prefix" = "cashview"
  "table.include.list" = "public.bookings"
  "plugin.name" = "pgoutput"
  "slot.name" = "cashview_dbz"
  "publication.name" = "cashview_pub"
  "publication.autocreate.mode" = "filtered"
  "tombstones.on.delete" = "false"
  "decimal.handling.mode" = "string"
  "time.precision.mode" = "adaptive"
  "snapshot.mode" = "initial"
  "slot.drop.on.stop" = "false"
  "key.converter" = "org.apache.kafka.connect.json.JsonConverter"
  "value.converter" = "org.apache.kafka.connect.json.JsonConverter"
  "key.converter.schemas.enable" = "false"
  "value.converter.schemas.enable" = "false"
  "message.key.columns" = "public.bookings:booking_id"
} | ConvertTo-Json -Compress

Invoke-RestMethod -Method Put -Uri "http://localhost:8083/connectors/cashview-bookings/config" `
  -ContentType "application/json" -Body $conf | Out-Null

Write-Host "Up: http://localhost:8080"
