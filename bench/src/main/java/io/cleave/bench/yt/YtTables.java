package io.cleave.bench.yt;

import io.cleave.bench.ServerProcess;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Calls commands of the API, and makes the tables of the benchmark.
final class YtTables {
    /// `key` is the whole key.
    static final String PLAIN = "//tmp/plain";

    /// `hash` is computed from `key`; a key has [#ITEMS] rows.
    static final String HASHED = "//tmp/hashed";

    static final int KEYS = 100_000;
    static final int ITEMS = 100;
    static final int ROWS_A_REQUEST = 1_000;

    private static final Duration MOUNT_LIMIT = Duration.ofSeconds(30);

    private final String address;
    private boolean hasPlain;

    YtTables(ServerProcess server) {
        address = server.ytProxy();
    }

    String address() {
        return address;
    }

    /// Calls a command, and returns the body of its answer as text.
    String call(String method, String command, String parameters, byte[] body) throws IOException {
        try (var link = new HttpLink(address)) {
            byte[] request = link.request(method, "/api/v4/" + command, parameters, body);
            return new String(link.send(request), StandardCharsets.ISO_8859_1);
        }
    }

    /// Makes [#PLAIN] with its rows, unless it is there.
    void makePlainOnce() throws Exception {
        if (hasPlain) {
            return;
        }
        hasPlain = true;
        create(
                PLAIN,
                """
                [{name=key;type=int64;sort_order=ascending};{name=name;type=string};\
                {name=amount;type=int64}]\
                """);
        for (int from = 0; from < KEYS; from += ROWS_A_REQUEST) {
            insert(PLAIN, rows(from, ROWS_A_REQUEST));
        }
    }

    void makeHashed() throws Exception {
        create(
                HASHED,
                """
                [{name=hash;type=uint64;sort_order=ascending;expression="farm_hash(key)"};\
                {name=key;type=int64;sort_order=ascending};\
                {name=item;type=int64;sort_order=ascending};{name=name;type=string}]\
                """);
        for (int key = 0; key < KEYS / ITEMS; key += ROWS_A_REQUEST / ITEMS) {
            var body = new ByteArrayOutputStream();
            for (int row = 0; row < ROWS_A_REQUEST; row++) {
                text(
                        body,
                        "{key=%d;item=%d;name=\"name of a row\"};"
                                .formatted(key + row / ITEMS, row % ITEMS));
            }
            insert(HASHED, body.toByteArray());
        }
    }

    private void create(String path, String schema) throws Exception {
        call(
                "POST",
                "create",
                "{type=table;path=\"%s\";attributes={dynamic=%%true;schema=%s}}"
                        .formatted(path, schema),
                new byte[0]);
        call("POST", "mount_table", "{path=\"%s\"}".formatted(path), new byte[0]);
        long until = System.nanoTime() + MOUNT_LIMIT.toNanos();
        while (!call("GET", "get", "{path=\"%s/@tablet_state\"}".formatted(path), new byte[0])
                .contains("\"mounted\"")) {
            if (System.nanoTime() > until) {
                throw new IOException(path + " is not mounted");
            }
            Thread.sleep(50);
        }
    }

    private void insert(String path, byte[] rows) throws IOException {
        call("PUT", "insert_rows", inputParameters(path), rows);
    }

    static String inputParameters(String path) {
        return "{path=\"%s\";input_format=<format=binary>yson;output_format=<format=binary>yson}"
                .formatted(path);
    }

    /// Rows of [#PLAIN] as binary YSON, with consecutive keys.
    static byte[] rows(int from, int count) {
        var body = new ByteArrayOutputStream();
        for (int key = from; key < from + count; key++) {
            body.write('{');
            member(body, "key");
            number(body, key);
            body.write(';');
            member(body, "name");
            string(body, "name of row " + key);
            body.write(';');
            member(body, "amount");
            number(body, key * 7L);
            text(body, "};");
        }
        return body.toByteArray();
    }

    /// Keys of [#PLAIN] as binary YSON.
    static byte[] keys(int... keys) {
        var body = new ByteArrayOutputStream();
        for (int key : keys) {
            body.write('{');
            member(body, "key");
            number(body, key);
            text(body, "};");
        }
        return body.toByteArray();
    }

    private static void member(ByteArrayOutputStream out, String name) {
        string(out, name);
        out.write('=');
    }

    private static void string(ByteArrayOutputStream out, String value) {
        out.write(0x01);
        varint(out, (long) value.length() << 1);
        text(out, value);
    }

    private static void number(ByteArrayOutputStream out, long value) {
        out.write(0x02);
        varint(out, (value << 1) ^ (value >> 63));
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
