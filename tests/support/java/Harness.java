import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.transforms.Transformation;
import org.apache.kafka.connect.transforms.predicates.Predicate;
import org.apache.kafka.connect.util.ConnectUtils;

/** Sends rows through configured transformations and converters, as a Connect worker does; tests/support/batch.py writes and reads its bytes. */
public final class Harness {
    /** A transformation behind its predicate, as Connect's TransformationStage runs it. */
    private record Stage(Transformation<SourceRecord> transformation, boolean routes, Predicate<SourceRecord> predicate, boolean negated) {
        SourceRecord apply(SourceRecord record) {
            if (predicate != null && predicate.test(record) == negated) return record;
            return transformation.apply(record);
        }
    }

    private static final byte DROPPED = 0, THROWN = 1, MESSAGE = 2;
    private static final Schema.Type[] TYPES = Schema.Type.values();

    private final List<Stage> stages = new ArrayList<>();
    private HeaderConverter header;
    private Converter key;
    private Converter value;
    private String[] converters;
    private List<Map<String, String>> converted;
    private String step;

    private Harness() {}

    /** The outcomes of a batch's rows. transformations: the loader of their classes; others: that of predicates and converters. */
    public static byte[] run(ClassLoader transformations, ClassLoader others, byte[] batch) throws Exception {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(batch));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        Harness harness = new Harness();
        try {
            harness.configure(in, transformations, others);
            out.writeByte(MESSAGE);
        } catch (Throwable thrown) {
            write(out, "configure", thrown);
            return bytes.toByteArray();
        }
        Schema[] schemas = schemas(in);
        for (int rows = in.readInt(); rows > 0; rows--) {
            byte[] row = in.readNBytes(in.readInt());
            harness.send(new DataInputStream(new ByteArrayInputStream(row)), schemas, out);
        }
        return bytes.toByteArray();
    }

    /** A batch's rows as records, for what measures the router alone. */
    public static SourceRecord[] records(byte[] batch) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(batch));
        Schema[] schemas = schemas(in);
        SourceRecord[] records = new SourceRecord[in.readInt()];
        for (int at = 0; at < records.length; at++) {
            in.readInt();
            records[at] = record(in, schemas);
        }
        return records;
    }

    /** What a private static method of texts gives, such as a connector's parser of defaults; null for null. */
    public static String called(Class<?> owner, String method, String[] texts) throws Throwable {
        List<Class<?>> parameters = java.util.Collections.nCopies(texts.length, String.class);
        var type = java.lang.invoke.MethodType.methodType(String.class, parameters);
        var lookup = java.lang.invoke.MethodHandles.privateLookupIn(owner, java.lang.invoke.MethodHandles.lookup());
        return (String) lookup.findStatic(owner, method, type).invokeWithArguments((Object[]) texts);
    }

    @SuppressWarnings("unchecked")
    private void configure(DataInputStream in, ClassLoader transformations, ClassLoader others) throws Exception {
        int count = in.readInt();
        List<String> kinds = new ArrayList<>(), predicates = new ArrayList<>();
        List<Map<String, String>> options = new ArrayList<>(), tests = new ArrayList<>();
        boolean[] routes = new boolean[count], negated = new boolean[count];
        for (int at = 0; at < count; at++) {
            kinds.add(text(in));
            routes[at] = in.readBoolean();
            options.add(options(in));
            predicates.add(text(in));
            negated[at] = in.readBoolean();
            tests.add(options(in));
        }
        converters = new String[] {text(in), text(in), text(in)};
        converted = List.of(options(in), options(in), options(in));
        convert(others); // first, as the worker does
        for (int at = 0; at < count; at++) {
            var transformation = (Transformation<SourceRecord>) made(kinds.get(at), transformations);
            transformation.configure(options.get(at));
            Predicate<SourceRecord> predicate = null;
            if (predicates.get(at) != null) {
                predicate = (Predicate<SourceRecord>) made(predicates.get(at), others);
                predicate.configure(tests.get(at));
            }
            stages.add(new Stage(transformation, routes[at], predicate, negated[at]));
        }
    }

    private void convert(ClassLoader others) throws Exception {
        header = (HeaderConverter) made(converters[0], others);
        converted.get(0).put("converter.type", "header");
        header.configure(converted.get(0));
        key = (Converter) made(converters[1], others);
        key.configure(converted.get(1), true);
        value = (Converter) made(converters[2], others);
        value.configure(converted.get(2), false);
    }

    private static Object made(String name, ClassLoader loader) throws Exception {
        Thread.currentThread().setContextClassLoader(loader);
        return Class.forName(name, true, loader).getDeclaredConstructor().newInstance();
    }

    private void send(DataInputStream in, Schema[] schemas, DataOutputStream out) throws IOException {
        step = "transformation";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            if (!message(record(in, schemas), new DataOutputStream(bytes))) {
                out.writeByte(DROPPED);
                return;
            }
        } catch (Throwable thrown) {
            write(out, step, thrown);
            return;
        }
        bytes.writeTo(out);
    }

    private boolean message(SourceRecord record, DataOutputStream out) throws IOException {
        boolean routed = false;
        for (Stage stage : stages) {
            SourceRecord before = record;
            record = stage.apply(record);
            if (record == null) return false;
            routed |= stage.routes() && !record.equals(before);
        }
        out.writeByte(MESSAGE);
        String topic = record.topic();
        write(out, topic);
        out.writeBoolean(record.kafkaPartition() != null);
        out.writeInt(record.kafkaPartition() == null ? 0 : record.kafkaPartition());
        out.writeLong(record.timestamp() == null ? -1 : record.timestamp());
        out.writeBoolean(routed);
        step = "header";
        out.writeInt(record.headers().size());
        for (Header one : record.headers()) {
            write(out, one.key());
            write(out, header.fromConnectHeader(topic, one.key(), one.schema(), one.value()));
        }
        step = "key";
        write(out, key.fromConnectData(topic, record.keySchema(), record.key()));
        step = "value";
        write(out, value.fromConnectData(topic, record.valueSchema(), record.value()));
        step = "producer";
        Long timestamp = ConnectUtils.checkAndConvertTimestamp(record.timestamp());
        new ProducerRecord<byte[], byte[]>(topic, record.kafkaPartition(), timestamp, null, null, null);
        Topic.validate(topic);
        return true;
    }

    private static void write(DataOutputStream out, String step, Throwable thrown) throws IOException {
        out.writeByte(THROWN);
        write(out, step);
        write(out, thrown.getClass().getSimpleName());
        write(out, thrown.getMessage());
    }

    /** UTF-16 units one by one: an encoder would replace half a surrogate pair. */
    private static void write(DataOutputStream out, String text) throws IOException {
        out.writeInt(text == null ? -1 : 2 * text.length());
        if (text != null) out.writeChars(text);
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) return null;
        char[] units = new char[length / 2];
        ByteBuffer.wrap(in.readNBytes(length)).asCharBuffer().get(units);
        return new String(units);
    }

    private static Map<String, String> options(DataInputStream in) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (int count = in.readInt(); count > 0; count--) options.put(text(in), text(in));
        return options;
    }

    private static Schema[] schemas(DataInputStream in) throws IOException {
        Schema[] schemas = new Schema[in.readInt()];
        for (int at = 0; at < schemas.length; at++) schemas[at] = schema(in, schemas);
        return schemas;
    }

    private static Schema schema(DataInputStream in, Schema[] schemas) throws IOException {
        Schema.Type type = TYPES[in.readByte()];
        int element = in.readInt(), ofKey = in.readInt();
        SchemaBuilder builder = switch (type) {
            case ARRAY -> SchemaBuilder.array(schemas[element]);
            case MAP -> SchemaBuilder.map(schemas[ofKey], schemas[element]);
            default -> new SchemaBuilder(type);
        };
        for (int count = in.readInt(); count > 0; count--) builder.field(text(in), schemas[in.readInt()]);
        String name = text(in);
        if (name != null) builder.name(name);
        if (in.readBoolean()) builder.version(in.readInt());
        for (int count = in.readInt(); count > 0; count--) builder.parameter(text(in), text(in));
        if (in.readBoolean()) builder.optional();
        Object standard = value(in, schemas);
        if (standard != null) builder.defaultValue(standard);
        return builder.build();
    }

    private static SourceRecord record(DataInputStream in, Schema[] schemas) throws IOException {
        String topic = text(in);
        Object partition = value(in, schemas), timestamp = value(in, schemas);
        int keySchema = in.readInt();
        Object key = value(in, schemas);
        int valueSchema = in.readInt();
        Object value = value(in, schemas);
        ConnectHeaders headers = new ConnectHeaders();
        for (int count = in.readInt(); count > 0; count--) {
            String name = text(in);
            int schema = in.readInt();
            headers.add(name, value(in, schemas), at(schemas, schema));
        }
        return new SourceRecord(null, null, topic, (Integer) partition, at(schemas, keySchema), key,
            at(schemas, valueSchema), value, (Long) timestamp, headers);
    }

    private static Schema at(Schema[] schemas, int place) {
        return place < 0 ? null : schemas[place];
    }

    private static Object value(DataInputStream in, Schema[] schemas) throws IOException {
        return switch (in.readByte()) {
            case 'n' -> null;
            case 't' -> true;
            case 'f' -> false;
            case 'b' -> in.readByte();
            case 'h' -> in.readShort();
            case 'i' -> in.readInt();
            case 'q' -> in.readLong();
            case 'F' -> in.readFloat();
            case 'd' -> in.readDouble();
            case 'D' -> new Date(in.readLong());
            case 's' -> text(in);
            case 'm' -> new BigDecimal(text(in));
            case 'B' -> ByteBuffer.wrap(in.readNBytes(in.readInt()));
            case 'y' -> in.readNBytes(in.readInt());
            case 'l' -> list(in, schemas);
            case 'S' -> struct(in, schemas);
            default -> throw new IOException("not a value");
        };
    }

    private static List<Object> list(DataInputStream in, Schema[] schemas) throws IOException {
        List<Object> list = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) list.add(value(in, schemas));
        return list;
    }

    private static Struct struct(DataInputStream in, Schema[] schemas) throws IOException {
        Struct struct = new Struct(schemas[in.readInt()]);
        for (int count = in.readInt(); count > 0; count--) struct.put(text(in), value(in, schemas));
        return struct;
    }
}
