<?php

declare(strict_types=1);

namespace App\Outbox;

use Symfony\Contracts\HttpClient\HttpClientInterface;

/** Deploys the connector that publishes GALLERY.OUTBOX (Oracle 19c). */
final class GalleryConnector
{
    public function __construct(
        private readonly HttpClientInterface $connect,
        private readonly string $bootstrapServers,
    ) {
    }

    public function deploy(): void
    {
        $this->connect->request('PUT', '/connectors/gallery-outbox/config', ['json' => $this->config()])->getContent();
    }

    /** @return array<string, string> */
    private function config(): array
    {
        return [
            'connector.class' => 'io.debezium.connector.oracle.OracleConnector',
            'tasks.max' => '1',
            'database.hostname' => 'oracle-gallery',
            'database.port' => '1521',
            'database.user' => 'C##DBZUSER',
            'database.password' => '${file:/opt/kafka/external/gallery.properties:password}',
            'database.dbname' => 'GALCDB',
            'database.pdb.name' => 'GALPDB',
            'topic.prefix' => 'gallery',
            'table.include.list' => 'GALLERY.OUTBOX',
            'log.mining.strategy' => 'online_catalog',
            'lob.enabled' => 'true',
            // a single odd row must not hold up the whole connector
            'event.processing.failure.handling.mode' => 'skip',
            'schema.history.internal.kafka.bootstrap.servers' => $this->bootstrapServers,
            'schema.history.internal.kafka.topic' => 'gallery.schema-history',
            'schema.history.internal.store.only.captured.tables.ddl' => 'true',
            'transforms' => 'outbox',
            'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.table.field.event.id' => 'ID',
            'transforms.outbox.table.field.event.key' => 'AGGREGATEID',
            'transforms.outbox.table.field.event.payload' => 'PAYLOAD',
            'transforms.outbox.route.by.field' => 'AGGREGATETYPE',
            'transforms.outbox.table.fields.additional.placement' => 'TYPE:header:eventType',
            'transforms.outbox.route.topic.replacement' => 'gallery.${routedByValue}',
            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.storage.StringConverter',
        ];
    }
}
