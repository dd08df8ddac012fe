"""RabbitMQ: a persistent message with the topic as its routing key, and no key of its own.

A message that the exchange routes to no queue is lost: the sink does not publish with `mandatory`.
"""

from outbox_kit.render.server_sink import EMPTY, ServerSink

SINK = ServerSink(
    "rabbitmq",
    {
        "connection.host": "${RABBITMQ_HOST}",
        "connection.port": "${RABBITMQ_PORT:5672}",
        "connection.virtual.host": "${RABBITMQ_VHOST:/}",
        "connection.username": "${RABBITMQ_USER}",
        "connection.password": "${RABBITMQ_PASSWORD}",
        "exchange": "${RABBITMQ_EXCHANGE:amq.topic}",
        "routingKey.source": "topic",
        "deliveryMode": "2",
        "null.value": EMPTY,
    },
)
