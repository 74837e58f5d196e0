package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.SystemEnv;
import io.cleave.blob.BlobStore;
import io.cleave.log.FencedException;
import io.cleave.log.Log;
import io.cleave.log.LogOptions;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;
import io.cleave.node.Storage;
import io.cleave.node.YtPort;
import io.cleave.time.Leadership;

import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tech.ydb.common.transaction.TxMode;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcTransport;
import tech.ydb.query.QueryClient;
import tech.ydb.query.tools.QueryReader;
import tech.ydb.query.tools.SessionRetryContext;

import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A whole node on BookKeeper, through the SDK.
class BookKeeperStorageTest {
    private static TestLedgers ledgers;

    private final BookKeeperSettings settings = ledgers.newSettings();
    private final Queue<Throwable> fatal = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        ledgers = TestLedgers.start();
    }

    @AfterAll
    static void stop() {
        ledgers.close();
    }

    private Node node(NodeOptions options) throws StartException {
        return Node.start(options, new BookKeeperStorage(settings), fatal::add);
    }

    @Test
    void whatWasWrittenIsThereAfterARestart() throws Exception {
        try (Node node = node(NodeOptions.inMemory().withUserCells(2))) {
            run(node, "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
            run(node, "UPSERT INTO t (k, v) VALUES (1, \"a\"u), (2, \"b\"u), (7, \"c\"u)");
            run(node, "UPSERT INTO t (k, v) VALUES (8, \"d\"u)");
            assertThat(count(node)).isEqualTo(4);
        }
        try (Node node = node(NodeOptions.inMemory())) {
            assertThat(count(node)).isEqualTo(4);
            run(node, "DELETE FROM t WHERE k < 5");
            assertThat(count(node)).isEqualTo(2);
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void cellsComeAndGoWithTheirLogs() throws Exception {
        try (Node node = node(NodeOptions.inMemory().withYtPort(new YtPort.Chosen(0)));
                var zooKeeper = ZooKeeperSessions.open(settings)) {
            run(node, "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
            run(node, "UPSERT INTO t (k, v) VALUES (1, \"a\"u), (2, \"b\"u), (7, \"c\"u)");
            String cells = yt(node, "list", "{\"path\": \"//sys/tablet_cells\"}");
            assertThat(yt(node, "create", "{\"type\": \"tablet_cell\"}")).contains("object_id");
            assertThat(logs(zooKeeper)).containsExactlyInAnyOrder("0", "1", "2");
            Matcher first = Pattern.compile("[0-9a-f]+(-[0-9a-f]+){3}").matcher(cells);
            assertThat(first.find()).isTrue();
            String path = "//sys/tablet_cells/" + first.group();
            yt(node, "remove", "{\"path\": \"%s\"}".formatted(path));
            while (logs(zooKeeper).contains("1")) {
                run(node, "UPSERT INTO t (k, v) VALUES (8, \"d\"u)");
            }
            assertThat(count(node)).isEqualTo(4);
        }
        try (Node node = node(NodeOptions.inMemory());
                var zooKeeper = ZooKeeperSessions.open(settings)) {
            assertThat(count(node)).isEqualTo(4);
            assertThat(logs(zooKeeper)).containsExactlyInAnyOrder("0", "2");
        }
        assertThat(fatal).isEmpty();
    }

    private List<String> logs(CuratorFramework zooKeeper) throws Exception {
        return zooKeeper.getChildren().forPath(settings.root() + "/logs");
    }

    private static String yt(Node node, String command, String parameters) throws Exception {
        String url =
                "http://localhost:%d/api/v4/%s".formatted(node.ytPort().orElseThrow(), command);
        var request = HttpRequest.newBuilder(URI.create(url)).header("X-YT-Parameters", parameters);
        if (command.equals("list")) {
            request.GET();
        } else {
            request.POST(HttpRequest.BodyPublishers.noBody());
        }
        try (var client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }
    }

    @Test
    void aSecondNodeIsToldWhoLeads() throws Exception {
        var impatient =
                BookKeeperSettings.parse(settings.name() + "?session-seconds=1&stall-seconds=5");
        try (Node first = node(NodeOptions.inMemory())) {
            assertThat(first.grpcPort()).isPositive();
            assertThatThrownBy(
                            () ->
                                    Node.start(
                                            NodeOptions.inMemory(),
                                            new BookKeeperStorage(impatient),
                                            fatal::add))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("another node leads")
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void aNodeWhoseLogAnotherOpenedIsTold() throws Exception {
        try (Node node = node(NodeOptions.inMemory())) {
            run(node, "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
            try (var zooKeeper = ZooKeeperSessions.open(settings);
                    var client = ledgers.newClient()) {
                var other =
                        new BookKeeperLog(
                                zooKeeper,
                                client,
                                settings,
                                settings.root() + "/logs/1",
                                new SystemEnv(),
                                LogOptions.DEFAULT,
                                _ -> {});
                other.openWriter();
                assertThat(status(node, "UPSERT INTO t (k, v) VALUES (1, \"x\"u)"))
                        .isEqualTo(StatusCode.UNDETERMINED);
                other.close();
            }
            assertThat(fatal).isNotEmpty().first().isInstanceOf(FencedException.class);
        }
    }

    @Test
    void withoutBookiesWritesAreRefusedReadsGoOnAndItComesBackByItself() throws Exception {
        var impatient = BookKeeperSettings.parse(settings.name() + "?stall-seconds=2");
        try (Node node =
                Node.start(NodeOptions.inMemory(), new BookKeeperStorage(impatient), fatal::add)) {
            run(node, "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
            run(node, "UPSERT INTO t (k, v) VALUES (1, \"a\"u)");
            ledgers.stopBookie(0);
            ledgers.stopBookie(1);
            // The first one is under way when it comes out; what comes of it nobody knows yet.
            assertThat(status(node, "UPSERT INTO t (k, v) VALUES (2, \"b\"u)"))
                    .isEqualTo(StatusCode.UNDETERMINED);
            assertThat(status(node, "UPSERT INTO t (k, v) VALUES (3, \"c\"u)"))
                    .isEqualTo(StatusCode.UNAVAILABLE);
            assertThat(count(node)).isEqualTo(1);
            ledgers.startBookie(0);
            ledgers.startBookie(1);
            StatusCode last = StatusCode.UNAVAILABLE;
            for (int tries = 0; tries < 100 && last == StatusCode.UNAVAILABLE; tries++) {
                Thread.sleep(200);
                last = status(node, "UPSERT INTO t (k, v) VALUES (4, \"d\"u)");
            }
            assertThat(last).isEqualTo(StatusCode.SUCCESS);
            assertThat(count(node)).isEqualTo(3);
        }
        assertThat(fatal).isEmpty();
    }

    /// It still reaches its clients and the bookies.
    @Test
    void aLeaderThatIsCutOffFromZooKeeperDoesNotAnswerForTheNewestState() throws Exception {
        try (Relay relay = Relay.to(ledgers.zooKeeper())) {
            var far =
                    BookKeeperSettings.parse(
                            "bookkeeper://%s%s?session-seconds=3&stall-seconds=3"
                                    .formatted(relay.address(), settings.root()));
            try (Node cutOff =
                    Node.start(NodeOptions.inMemory(), new BookKeeperStorage(far), fatal::add)) {
                run(cutOff, "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
                run(cutOff, "UPSERT INTO t (k, v) VALUES (1, \"a\"u)");
                relay.cut();
                try (Node next = node(NodeOptions.inMemory())) {
                    run(next, "UPSERT INTO t (k, v) VALUES (2, \"b\"u)");
                    for (TxMode mode : List.of(TxMode.SERIALIZABLE_RW, TxMode.SNAPSHOT_RO)) {
                        assertThat(status(cutOff, "SELECT * FROM t", mode))
                                .isEqualTo(StatusCode.UNAVAILABLE);
                        assertThat(status(cutOff, "SELECT * FROM t WHERE k = 1", mode))
                                .isEqualTo(StatusCode.UNAVAILABLE);
                    }
                    assertThat(status(cutOff, "SELECT * FROM t", TxMode.STALE_RO))
                            .isEqualTo(StatusCode.SUCCESS);
                    assertThat(status(cutOff, "UPSERT INTO t (k, v) VALUES (3, \"c\"u)"))
                            .isIn(StatusCode.UNDETERMINED, StatusCode.UNAVAILABLE);
                    assertThat(fatal).isEmpty();

                    relay.mend();

                    for (int tries = 0; tries < 300 && fatal.isEmpty(); tries++) {
                        Thread.sleep(100);
                    }
                    assertThat(fatal).isNotEmpty().allMatch(Node::isReplaced);
                    assertThat(status(cutOff, "SELECT * FROM t", TxMode.SNAPSHOT_RO))
                            .isEqualTo(StatusCode.UNAVAILABLE);
                    assertThat(count(next)).isEqualTo(2);
                }
            }
        }
    }

    @Test
    void nothingGoesOnOfANodeThatCouldNotBeEntered() throws Exception {
        var impatient = BookKeeperSettings.parse(settings.name() + "?stall-seconds=2");
        var endpoint = new AtomicReference<String>();
        Storage storage =
                (env, options, media, failed) ->
                        new ForgetfulBackend(
                                new BookKeeperStorage(impatient).open(env, options, media, failed),
                                endpoint);
        assertThatThrownBy(() -> Node.start(NodeOptions.inMemory(), storage, fatal::add))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("cannot tell " + settings.name());
        URI left = URI.create(endpoint.get());
        assertThatThrownBy(() -> new Socket(left.getHost(), left.getPort()).close())
                .isInstanceOf(ConnectException.class);
        try (Node node = node(NodeOptions.inMemory())) {
            run(node, "CREATE TABLE t (k Uint64 NOT NULL, v Utf8, PRIMARY KEY (k))");
        }
    }

    private static void startZooKeeper() {
        try {
            ledgers.startZooKeeper();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// ZooKeeper is away when the node is to be entered there.
    private record ForgetfulBackend(Storage.Opened opened, AtomicReference<String> endpoint)
            implements Storage.Opened {
        @Override
        public String name() {
            return opened.name();
        }

        @Override
        public void removeLog(long cellId) {
            opened.removeLog(cellId);
        }

        @Override
        public Set<Long> cellIds() {
            return opened.cellIds();
        }

        @Override
        public Log openLog(long cellId) {
            return opened.openLog(cellId);
        }

        @Override
        public BlobStore systemBlobs() {
            return opened.systemBlobs();
        }

        @Override
        public BlobStore userBlobs() {
            return opened.userBlobs();
        }

        @Override
        public Leadership leadership() {
            return opened.leadership();
        }

        @Override
        public void serving(String at) {
            endpoint.set(at);
            ledgers.stopZooKeeper();
            try {
                opened.serving(at);
            } finally {
                startZooKeeper();
            }
        }

        @Override
        public void close() {
            opened.close();
        }
    }

    @Test
    void aUserIsToldWhatToDo() {
        refused("bookkeeper://localhost:1/c?stall-seconds=1", "cannot reach ZooKeeper");
        refused(
                "bookkeeper://%s/c?ledgers=/nowhere".formatted(ledgers.zooKeeper()),
                "knows no bookies under /nowhere");
        refused(
                "bookkeeper://%s/c?ensemble=5&write-quorum=5&ack-quorum=5"
                        .formatted(ledgers.zooKeeper()),
                "fewer than 5 bookies");
    }

    private static void refused(String storage, String naming) {
        assertThatThrownBy(
                        () ->
                                Node.start(
                                        NodeOptions.inMemory(),
                                        BookKeeperStorage.parse(storage),
                                        _ -> {}))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(naming);
    }

    private static void run(Node node, String text) {
        assertThat(status(node, text)).isEqualTo(StatusCode.SUCCESS);
    }

    private static StatusCode status(Node node, String text) {
        return status(node, text, mode(text));
    }

    private static StatusCode status(Node node, String text, TxMode mode) {
        try (GrpcTransport transport = GrpcTransport.forConnectionString(node.endpoint()).build();
                QueryClient client = QueryClient.newClient(transport).build()) {
            return SessionRetryContext.create(client)
                    .maxRetries(0)
                    .build()
                    .supplyResult(session -> session.createQuery(text, mode).execute())
                    .join()
                    .getStatus()
                    .getCode();
        }
    }

    private static TxMode mode(String text) {
        return text.startsWith("CREATE") ? TxMode.NONE : TxMode.SERIALIZABLE_RW;
    }

    private static long count(Node node) {
        try (GrpcTransport transport = GrpcTransport.forConnectionString(node.endpoint()).build();
                QueryClient client = QueryClient.newClient(transport).build()) {
            QueryReader rows =
                    SessionRetryContext.create(client)
                            .build()
                            .supplyResult(
                                    session ->
                                            QueryReader.readFrom(
                                                    session.createQuery(
                                                            "SELECT COUNT(*) AS n FROM t",
                                                            TxMode.SERIALIZABLE_RW)))
                            .join()
                            .getValue();
            var set = rows.getResultSet(0);
            assertThat(set.next()).isTrue();
            return set.getColumn("n").getUint64();
        }
    }
}
