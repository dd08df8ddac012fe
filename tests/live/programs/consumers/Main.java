import ids.Inbox;
import ids.KafkaInbox;
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
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** A listener of Kafka with the generated inbox. */
@Configuration
@EnableTransactionManagement(proxyTargetClass = true)
@Import(Inbox.class)
public class Main {
    private static final Set<Integer> FAILED = new HashSet<>();

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
        String topic = System.getenv("SHOP_TOPIC");
        Map<String, Object> brokers = Map.of("bootstrap.servers", System.getenv("SHOP_BROKERS"));
        var letters = new KafkaTemplate<>(
                new DefaultKafkaProducerFactory<>(brokers, new ByteArraySerializer(), new ByteArraySerializer()));
        var inbox = new KafkaInbox(shop.getBean(Inbox.class), "billing");
        var properties = new ContainerProperties(topic);
        properties.setGroupId(topic);
        properties.setAckMode(ContainerProperties.AckMode.RECORD);
        properties.setMessageListener((MessageListener<byte[], byte[]>)
                message -> inbox.once(message, () -> handle(jdbc, message)));
        Map<String, Object> group = Map.of(
                "bootstrap.servers", System.getenv("SHOP_BROKERS"),
                "enable.auto.commit", false,
                "auto.offset.reset", "earliest");
        var container = new KafkaMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<>(group, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                properties);
        container.setCommonErrorHandler(inbox.errorHandler(letters, topic + "-dead", 3));
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
    }

    /** One effect. The message 13 always fails, 26 is rejected, others fail at first after their effect. */
    private static void handle(JdbcClient jdbc, ConsumerRecord<byte[], byte[]> message) {
        int number = Integer.parseInt(new String(message.value()));
        jdbc.sql("insert into \"effect message-id\" (worker, number) values (1, ?)").param(number).update();
        if (number == 13) {
            throw new IllegalStateException("a defect");
        }
        if (number == 26) {
            throw new KafkaInbox.Reject("no such customer");
        }
        if (number % 7 == 0 && FAILED.add(number)) {
            throw new IllegalStateException("an error of the handler");
        }
    }
}
