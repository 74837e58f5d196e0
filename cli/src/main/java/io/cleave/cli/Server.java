package io.cleave.cli;

import io.cleave.node.Node;
import io.cleave.node.NodeOptions;
import io.cleave.node.StartException;

import org.jline.utils.Signals;

import java.util.concurrent.CountDownLatch;

/// A node that serves until SIGTERM or Ctrl-C, and then finishes what was accepted. A second signal
/// ends the process at once.
final class Server {
    private static final int DONE = 0;
    private static final int FAILED = 1;

    private final CountDownLatch asked = new CountDownLatch(1);

    /// Returns the exit code, when it has been asked to stop or could not start.
    int run(NodeOptions options) throws InterruptedException {
        Signals.register("TERM", this::stop);
        Signals.register("INT", this::stop);
        try (Node node = Node.start(options, Server::tell)) {
            System.out.println(node.readyLine());
            System.out.flush();
            asked.await();
            return DONE;
        } catch (StartException e) {
            System.err.println("cleave: " + e.getMessage());
            return FAILED;
        }
    }

    private void stop() {
        if (asked.getCount() == 0) {
            Runtime.getRuntime().halt(FAILED);
        }
        asked.countDown();
    }

    /// The log failed: what reached the disk is unknown until it is opened and read again. What is
    /// known to be durable can still be read.
    private static void tell(Throwable failure) {
        System.err.println(
                "cleave: the log failed; nothing is written until the server is started again,"
                        + " reads go on: "
                        + failure);
    }
}
