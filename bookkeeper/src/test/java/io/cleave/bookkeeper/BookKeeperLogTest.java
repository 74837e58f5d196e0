package io.cleave.bookkeeper;

import io.cleave.base.SystemEnv;
import io.cleave.log.Log;
import io.cleave.log.LogContract;
import io.cleave.log.LogOptions;

import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

import java.util.ArrayList;
import java.util.List;

class BookKeeperLogTest extends LogContract {
    /// Small, so that tests pass over many ledgers.
    private static final LogOptions OPTIONS = new LogOptions(1000, 100_000);

    private static TestLedgers ledgers;
    private static BookKeeper client;
    private static CuratorFramework zooKeeper;

    private final BookKeeperSettings settings = ledgers.newSettings();
    private final List<Log> opened = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        ledgers = TestLedgers.start();
        client = ledgers.newClient();
        zooKeeper = ZooKeeperSessions.open(ledgers.newSettings());
    }

    @AfterAll
    static void stop() throws Exception {
        zooKeeper.close();
        client.close();
        ledgers.close();
    }

    @AfterEach
    void closeLogs() {
        opened.forEach(Log::close);
    }

    @Override
    protected Log reopen() {
        var log =
                new BookKeeperLog(
                        zooKeeper,
                        client,
                        settings,
                        settings.root() + "/logs/cell-1",
                        new SystemEnv(),
                        OPTIONS,
                        _ -> {});
        opened.add(log);
        return log;
    }
}
