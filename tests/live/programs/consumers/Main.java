import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** A listener of Kafka with the generated inbox of each mode. */
@Configuration
@EnableTransactionManagement(proxyTargetClass = true)
public class Main {
    private static final Set<Integer> FAILED = new HashSet<>();
    private static final String TOPIC = System.getenv("SHOP_TOPIC"), MODE = System.getenv("SHOP_MODE");

    @Bean
    ids.Inbox ids(JdbcClient jdbc) {
        return new ids.Inbox(jdbc);
    }

    @Bean
    positions.Inbox positions(JdbcClient jdbc) {
        return new positions.Inbox(jdbc);
    }

    @Bean
    DataSource database() {
        return new DriverManagerDataSource(System.getenv("SHOP_ADDRESS"));
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource database) {
        return new JdbcTransactionManager(database);
    }

    @Bean
    JdbcClient jdbc(DataSource database) {
        return JdbcClient.create(database);
    }

    public static void main(String[] arguments) {
        var shop = new AnnotationConfigApplicationContext(Main.class);
        var jdbc = shop.getBean(JdbcClient.class);
        boolean offsets = MODE.equals("offsets");
        Map<String, Object> brokers = Map.of("bootstrap.servers", System.getenv("SHOP_BROKERS"));
        var letters = new KafkaTemplate<>(
                new DefaultKafkaProducerFactory<>(brokers, new ByteArraySerializer(), new ByteArraySerializer()));
        Map<String, Object> group = Map.of(
                "bootstrap.servers", System.getenv("SHOP_BROKERS"),
                "enable.auto.commit", false,
                "session.timeout.ms", 6000,
                "heartbeat.interval.ms", 500,
                "auto.offset.reset", offsets ? "none" : "earliest");
        var container = new KafkaMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<>(group, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                new ContainerProperties(TOPIC));
        var properties = container.getContainerProperties();
        properties.setGroupId(TOPIC);
        properties.setAckMode(ContainerProperties.AckMode.RECORD);
        if (offsets) {
            var inbox = new positions.KafkaInbox(shop.getBean(positions.Inbox.class), "billing");
            properties.setConsumerRebalanceListener(inbox);
            properties.setMessageListener((AcknowledgingConsumerAwareMessageListener<byte[], byte[]>)
                    (message, acknowledgment, member) -> inbox.once(message, member, () ->
                            handle(jdbc, message, new positions.KafkaInbox.Reject("no such customer"))));
            container.setCommonErrorHandler(inbox.errorHandler(letters, TOPIC + "-dead", 3));
        } else {
            var inbox = new ids.KafkaInbox(shop.getBean(ids.Inbox.class), "billing");
            properties.setMessageListener((MessageListener<byte[], byte[]>) message -> inbox.once(message, () ->
                    handle(jdbc, message, new ids.KafkaInbox.Reject("no such customer"))));
            container.setCommonErrorHandler(inbox.errorHandler(letters, TOPIC + "-dead", 3));
        }
        container.setApplicationEventPublisher(event -> {
            if (event instanceof ConsumerStoppedEvent stopped
                    && stopped.getReason() != ConsumerStoppedEvent.Reason.NORMAL) {
                Runtime.getRuntime().halt(1);
            }
        });
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            container.stop();
            Runtime.getRuntime().halt(0);
        }));
    }

    /** One effect. The message 13 always fails, 26 is rejected, others fail at first after their effect. */
    private static void handle(JdbcClient jdbc, ConsumerRecord<byte[], byte[]> message, RuntimeException rejected) {
        int number = Integer.parseInt(new String(message.value()));
        jdbc.sql("insert into \"effect " + MODE + "\" (worker, number) values (1, ?)").param(number).update();
        if (number == 13) {
            throw new IllegalStateException("a defect");
        }
        if (number == 26) {
            throw rejected;
        }
        if (number % 20 == 7 && FAILED.add(number)) {
            throw new IllegalStateException("an error of the handler");
        }
    }
}
