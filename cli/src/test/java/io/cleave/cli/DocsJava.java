package io.cleave.cli;

import tech.ydb.core.grpc.GrpcRequestSettings;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.proto.table.YdbTable.AlterTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableRequest;
import tech.ydb.proto.table.YdbTable.DescribeTableResult;
import tech.ydb.proto.table.v1.TableServiceGrpc;
import tech.ydb.scheme.SchemeClient;
import tech.ydb.table.TableClient;
import tech.ydb.table.settings.CopyTablesSettings;
import tech.ydb.table.settings.DescribeTableSettings;
import tech.ydb.table.settings.RenameTablesSettings;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/// The Java of the documentation's pages: each method has one example, letter for letter but for
/// blanks and the stream that it prints to.
final class DocsJava {
    private static final Path SOURCE = Path.of("src/test/java/io/cleave/cli/DocsJava.java");

    private DocsJava() {}

    static void run(String example, GrpcTransport transport, PrintStream out) throws Exception {
        Method found =
                Arrays.stream(DocsJava.class.getDeclaredMethods())
                        .filter(method -> method.getReturnType() == void.class)
                        .filter(method -> has(method.getName(), example))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("not in DocsJava: " + example));
        found.invoke(null, transport, out);
    }

    private static boolean has(String method, String example) {
        String source;
        try {
            source = Files.readString(SOURCE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        int from = source.indexOf("    static void " + method + "(GrpcTransport transport");
        if (from < 0) {
            return false;
        }
        String body = source.substring(from, source.indexOf("\n    }\n", from));
        return plain(body).contains(plain(example.replace("System.out.", "out.")));
    }

    private static String plain(String java) {
        return java.replaceAll("\\s", "");
    }

    static void attributes(GrpcTransport transport, PrintStream out) throws Exception {
        var settings = GrpcRequestSettings.newBuilder().build();
        var change =
                AlterTableRequest.newBuilder()
                        .setPath("/local/articles")
                        .putAlterAttributes("owner", "newsroom") // an empty value removes it
                        .build();
        var altered = transport.unaryCall(TableServiceGrpc.getAlterTableMethod(), settings, change);
        out.println(altered.join().getValue().getOperation().getStatus());

        var question = DescribeTableRequest.newBuilder().setPath("/local/articles").build();
        var described =
                transport.unaryCall(TableServiceGrpc.getDescribeTableMethod(), settings, question);
        var table =
                described
                        .join()
                        .getValue()
                        .getOperation()
                        .getResult()
                        .unpack(DescribeTableResult.class);
        out.println(table.getAttributesMap());
    }

    static void directories(GrpcTransport transport, PrintStream out) {
        try (var schemes = SchemeClient.newClient(transport).build()) {
            schemes.makeDirectories("/local/archive/2025/drafts").join().expectSuccess();
            for (var entry :
                    schemes.listDirectory("/local/archive").join().getValue().getEntryChildren()) {
                out.println(entry.getName() + " " + entry.getType());
            }
            schemes.removeDirectory("/local/archive/2025/drafts").join().expectSuccess();
            // Only an empty one is removed.
            out.println(schemes.removeDirectory("/local/archive/2024").join().getCode());
        }
    }

    static void statistics(GrpcTransport transport, PrintStream out) {
        try (var tables = TableClient.newClient(transport).build();
                var session = tables.createSession(Duration.ofSeconds(5)).join().getValue()) {
            var wanted = new DescribeTableSettings();
            wanted.setIncludeTableStats(true);
            wanted.setIncludePartitionStats(true);
            var orders = session.describeTable("/local/orders", wanted).join().getValue();
            out.println(orders.getTableStats().getRowsEstimate() + " rows");
            orders.getPartitionStats().forEach(tablet -> out.println(tablet.rowsEstimate()));
        }
    }

    static void replacing(GrpcTransport transport, PrintStream out) {
        try (var tables = TableClient.newClient(transport).build();
                var session = tables.createSession(Duration.ofSeconds(5)).join().getValue()) {
            var replaceDestination = true;
            session.renameTables(
                            new RenameTablesSettings()
                                    .addTable(
                                            "/local/prices_new",
                                            "/local/prices",
                                            replaceDestination))
                    .join()
                    .expectSuccess();
        }
    }

    static void copies(GrpcTransport transport, PrintStream out) {
        try (var tables = TableClient.newClient(transport).build();
                var session = tables.createSession(Duration.ofSeconds(5)).join().getValue()) {
            session.copyTable("/local/orders", "/local/backup/orders").join().expectSuccess();

            // At one moment: what a transaction writes to both is in both copies or in none.
            session.copyTables(
                            new CopyTablesSettings()
                                    .addTable("/local/orders", "/local/backup/2024/orders", false)
                                    .addTable(
                                            "/local/payments",
                                            "/local/backup/2024/payments",
                                            false))
                    .join()
                    .expectSuccess();
        }
    }
}
