import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.Event;
import outbox.Inbox;
import outbox.Outbox;
import tools.jackson.databind.json.JsonMapper;

@Configuration
@EnableTransactionManagement(proxyTargetClass = true)
@Import({Outbox.class, Inbox.class, marks.Inbox.class, positions.Inbox.class})
public class Main {
    @Bean
    DataSource database() {
        return new DriverManagerDataSource(
                System.getenv("SHOP_ADDRESS"), System.getenv("SHOP_USER"), System.getenv("SHOP_PASSWORD"));
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource database) {
        return new JdbcTransactionManager(database);
    }

    @Bean
    JdbcClient jdbc(DataSource database) {
        return JdbcClient.create(database);
    }

    @Bean
    JsonMapper json() {
        return new JsonMapper();
    }

    public static void main(String[] arguments) {
        var shop = new AnnotationConfigApplicationContext(Main.class);
        var outbox = shop.getBean(Outbox.class);
        var transaction = new TransactionTemplate(shop.getBean(JdbcTransactionManager.class));
        var lines = List.of(new Event.OrderPlacedLinesItem("a'\"ä"));
        var placed = new Event.OrderPlaced(
                new Event.OrderPlacedPayload("7", OffsetDateTime.now(), lines, null));
        String[] parent = System.getenv("TRACEPARENT").split("-");
        var span = SpanContext.create(parent[1], parent[2], TraceFlags.getSampled(), TraceState.getDefault());
        UUID sent;
        try (var scope = Span.wrap(span).makeCurrent()) {
            try {
                outbox.publish("7", placed, "eu", null);
                throw new AssertionError("outside of a transaction");
            } catch (IllegalTransactionStateException refused) {
                transaction.executeWithoutResult(status -> {
                    outbox.publish("7", placed, "eu", UUID.randomUUID());
                    status.setRollbackOnly();
                });
            }
            sent = transaction.execute(status -> outbox.publish("7", placed, "eu", null));
        }
        String failed = "";
        boolean first = once(shop, sent, false);
        boolean second = once(shop, sent, false);
        try {
            once(shop, UUID.randomUUID(), true);
        } catch (IllegalStateException error) {
            failed = error.getMessage();
        }
        System.out.printf(
                "{\"sent\": \"%s\", \"handled\": [%s, %s, \"%s\"], \"answers\": [\"%s\"]}%n",
                sent, first, second, failed, String.join("\", \"", steps(shop)));
        shop.close();
    }

    private static boolean once(AnnotationConfigApplicationContext shop, UUID messageId, boolean fail) {
        var jdbc = shop.getBean(JdbcClient.class);
        return shop.getBean(Inbox.class).once("java-spring", messageId, () -> {
            jdbc.sql("insert into work values (?, ?)").param("java-spring").param(messageId.toString()).update();
            if (fail) {
                throw new IllegalStateException("undone");
            }
        });
    }

    /** The answers to the steps of the test. */
    private static List<String> steps(AnnotationConfigApplicationContext shop) {
        var given = shop.getBean(JsonMapper.class).readTree(System.getenv("SHOP_STEPS"));
        String topic = given.get("topic").asString();
        int partition = given.get("partition").asInt();
        var answers = new ArrayList<String>();
        var marked = shop.getBean(marks.Inbox.class);
        for (var step : given.get("marks")) {
            byte[] key = step.get(0).isNull() ? null : HexFormat.of().parseHex(step.get(0).asString());
            var own = new marks.Inbox.Marks("java-spring", "", 1L, step.get(2).asBoolean());
            String stored = marks.Inbox.messageKey(topic, partition, key);
            long sequence = Long.parseLong(step.get(1).asString());
            answers.add(answer(() -> marked.once(own, stored, sequence, failing(step.get(3).asBoolean()))));
        }
        var placed = shop.getBean(positions.Inbox.class);
        for (var step : given.get("offsets")) {
            long offset = Long.parseLong(step.get(1).asString());
            long generation = step.get(2).asLong();
            var position = new positions.Inbox.Position(topic, partition, offset);
            Runnable handler = failing(step.get(3).asBoolean());
            answers.add(step.get(0).asString().equals("take")
                    ? answer(() -> placed.take("java-spring", position, generation))
                    : answer(() -> placed.once("java-spring", position, generation, handler)));
        }
        return answers;
    }

    private static Runnable failing(boolean fail) {
        return () -> {
            if (fail) {
                throw new IllegalStateException("undone");
            }
        };
    }

    private static String answer(Supplier<Object> asked) {
        try {
            Object told = asked.get();
            return told instanceof Boolean added ? added ? "new" : "duplicate" : told.toString();
        } catch (marks.Inbox.SequenceGap gap) {
            return "gap";
        } catch (positions.Inbox.PartitionFenced fenced) {
            return "fenced";
        } catch (IllegalStateException undone) {
            return undone.getMessage();
        }
    }
}
