package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.clients.KillRounds;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.testkit.ServerMain;
import io.cleave.testkit.ServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/// A server on ledgers: see [KillRounds].
class BookKeeperKillTest {
    private static final int KILL_COUNT = Integer.getInteger("kills", 5);

    @TempDir private Path folder;

    @Test
    void everyAcknowledgedWriteSurvivesAndNoTransactionIsThereInPart() throws Exception {
        try (var ledgers = TestLedgers.startSynced()) {
            BookKeeperSettings settings = ledgers.newSettings();
            new KillRounds()
                    .run(
                            KILL_COUNT,
                            () ->
                                    ServerProcess.start(
                                            folder.resolve("server.out"),
                                            Server.class,
                                            List.of(settings.name())));
            try (var clients = TestClients.open(settings);
                    var blobs = clients.blobs(settings.root() + "/blobs/user")) {
                assertThat(blobs.list()).as("the store must have flushed").isNotEmpty();
            }
        }
    }

    /// The process: a node on the storage that the first argument names.
    static final class Server {
        private Server() {}

        public static void main(String[] args) throws Exception {
            ServerMain.serve(
                    Node.start(
                            NodeOptions.inMemory().withCells(ServerMain.SMALL),
                            BookKeeperStorage.parse(args[0]),
                            ServerMain::logFailed));
        }
    }
}
