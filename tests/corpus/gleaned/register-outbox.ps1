# 콘서트 예매 outbox 커넥터 등록. 이미 있으면 아무것도 하지 않는다.
$ErrorActionPreference = "Stop"

$connect = "http://localhost:8083"
$name = "concert-outbox"

for ($n = 0; $n -lt 15; $n++) {
    try { Invoke-RestMethod -Uri "$connect/connectors" -TimeoutSec 3 | Out-Null; break }
    catch { if ($n -eq 14) { throw "Kafka Connect에 연결할 수 없습니다: $connect" }; Start-Sleep -Seconds 3 }
}

$found = try { Invoke-RestMethod -Uri "$connect/connectors/$name" } catch { $null }
if ($found) { Write-Output "이미 등록됨"; exit 0 }

# 테이블 컬럼: id, aggregate_type, aggregate_id, event_type, payload, created_at
$body = @{
    name   = $name
    config = @{
        "connector.class"                                     = "io.debezium.connector.mysql.MySqlConnector"
        "database.hostname"                                   = "mysql"
        "database.port"                                       = "3306"
        "database.user"                                       = "root"
        "database.password"                                   = "root"
        "database.server.id"                                  = "184054"
        "topic.prefix"                                        = "concert"
        "database.include.list"                               = "concert"
        "table.include.list"                                  = "concert.outbox_events"
        "tombstones.on.delete"                                = "false"
        # DDL 토픽을 만들지 않는다 (브로커의 auto.create.topics.enable=false)
        "include.schema.changes"                              = "false"
        "transforms"                                          = "outbox"
        "transforms.outbox.type"                              = "io.debezium.transforms.outbox.EventRouter"
        "transforms.outbox.route.by.field"                    = "aggregate_type"
        "transforms.outbox.route.topic.replacement"           = 'concert.${routedByValue}.events'
        "transforms.outbox.table.field.event.id"              = "id"
        "transforms.outbox.table.field.event.key"             = "aggregate_id"
        "transforms.outbox.table.field.event.timestamp"       = "created_at"
        "transforms.outbox.table.field.event.payload"         = "payload"
        "transforms.outbox.table.expand.json.payload"         = "true"
        "transforms.outbox.table.fields.additional.placement" = "event_type:header:eventType"
        "key.converter"                                       = "org.apache.kafka.connect.json.JsonConverter"
        "key.converter.schemas.enable"                        = "false"
        "value.converter"                                     = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable"                      = "false"
        "schema.history.internal.kafka.topic"                 = "schema-history.concert"
        "schema.history.internal.kafka.bootstrap.servers"     = "kafka:29092"
    }
} | ConvertTo-Json -Depth 5

Invoke-RestMethod -Uri "$connect/connectors" -Method Post -Body $body -ContentType "application/json" | Out-Null
Write-Output "등록 완료"
