package io.cleave.testkit;

import io.cleave.balance.BalanceSettings;
import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.YtPort;
import io.cleave.tablet.CellOptions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/// The process that [ServerProcess] starts: a node on the folder that the first argument names. It
/// ends with 0 on SIGTERM, and when its standard input closes, so that it never outlives the tests
/// that started it.
public final class ServerMain {
    /// So small that a few seconds of writes flush, checkpoint and compact many times.
    public static final CellOptions SMALL =
            new CellOptions(64 << 10, 128 << 10, 32 << 10, 8 << 20, 10_000);

    private ServerMain() {}

    public static void main(String[] args) throws Exception {
        NodeOptions options = NodeOptions.inFolder(Path.of(args[0]));
        if (Arrays.asList(args).contains(ServerProcess.SMALL_CELLS)) {
            options = options.withCells(SMALL);
        }
        if (Arrays.asList(args).contains(ServerProcess.THREE_CELLS)) {
            options = options.withUserCells(3);
        }
        if (Arrays.asList(args).contains(ServerProcess.YT)) {
            options = options.withYtPort(new YtPort.Chosen(0));
            if (!Arrays.asList(args).contains(ServerProcess.BALANCED)) {
                // A round that falls into a test would merge the empty tablets of its tables.
                options = options.withBalance(BalanceSettings.DEFAULT.withEnabled(false));
            }
        }
        serve(Node.start(options, ServerMain::logFailed));
    }

    /// Says that the node is ready, and ends with it.
    public static void serve(Node node) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node)));
        node.ytLine().ifPresent(System.out::println);
        System.out.println(node.readyLine());
        System.out.flush();
        waitForEndOfInput();
        // Waits for the end of a stop that has begun.
        System.exit(1);
    }

    private static void stop(Node node) {
        node.close();
        // The JVM's own code would be the signal's.
        Runtime.getRuntime().halt(0);
    }

    public static void logFailed(Throwable failure) {
        failure.printStackTrace();
    }

    private static void waitForEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Nothing is ever written there.
        }
    }
}
