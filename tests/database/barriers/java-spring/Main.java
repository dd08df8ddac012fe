import barrier.Barrier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

public class Main {
    private final JdbcClient jdbc;
    private final Barrier barrier;
    private final List<String> all = new ArrayList<>();

    Main(DataSource database) {
        jdbc = JdbcClient.create(database);
        barrier = new Barrier(jdbc, new JdbcTransactionManager(database));
    }

    public static void main(String[] arguments) {
        String scheme = System.getenv("SHOP_DIALECT").replace("postgres", "postgresql");
        String place = System.getenv("SHOP_HOST") + ":" + System.getenv("SHOP_PORT");
        new Main(new DriverManagerDataSource(
                        "jdbc:" + scheme + "://" + place + "/" + System.getenv("SHOP_DATABASE"),
                        System.getenv("SHOP_USER"),
                        System.getenv("SHOP_PASSWORD")))
                .steps();
    }

    private void steps() {
        transaction("m1", () -> {});
        all.add(asked("m1"));
        all.add(asked("m2"));
        all.add(failure("m2", () -> {}));
        all.add(failure("m1", () -> {}));
        all.add(failure("m3", () -> {
            throw new IllegalStateException("undone");
        }));
        all.add(asked("m3"));
        transaction("m4", () -> all.add(asked("m4")));
        all.add(asked("m4"));
        System.out.println(all.stream().map(step -> '"' + step + '"').collect(Collectors.joining(", ", "[", "]")));
    }

    private void transaction(String id, Runnable more) {
        barrier.transaction(id, () -> {
            jdbc.sql("insert into orders values (?)").param(id).update();
            more.run();
        });
    }

    private String asked(String id) {
        Barrier.Answer answer = barrier.outcome(id);
        if (answer.outcome().equals("unknown") == answer.reason().isEmpty()) {
            throw new AssertionError(answer);
        }
        return answer.outcome();
    }

    private String failure(String id, Runnable more) {
        try {
            transaction(id, more);
            return "done";
        } catch (Barrier.OutcomeDecided decided) {
            return "decided";
        } catch (IllegalStateException error) {
            return error.getMessage();
        }
    }
}
