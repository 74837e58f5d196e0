package io.cleave.cli;

import io.cleave.bookkeeper.BookKeeperStorage;
import io.cleave.node.Node;
import io.cleave.node.StartException;
import io.cleave.node.Storage;

import org.jline.utils.Signals;

import java.util.concurrent.CountDownLatch;

/// A node that serves until SIGTERM or Ctrl-C, and then finishes what was accepted. A second signal
/// ends the process at once.
final class Server {
    private static final int DONE = 0;
    private static final int FAILED = 1;

    private final CountDownLatch asked = new CountDownLatch(1);

    /// Returns the exit code, when it has been asked to stop or could not start.
    int run(StartArguments.Request request) throws InterruptedException {
        Signals.register("TERM", this::stop);
        Signals.register("INT", this::stop);
        try (Node node = start(request)) {
            System.out.println(node.readyLine());
            System.out.flush();
            asked.await();
            return DONE;
        } catch (StartException e) {
            System.err.println("cleave: " + e.getMessage());
            return FAILED;
        }
    }

    private static Node start(StartArguments.Request request) throws StartException {
        if (request.storage().isPresent()) {
            return Node.start(request.options(), ledgers(request.storage().get()), Server::tell);
        }
        return request.acceptsLoss()
                ? Node.startAcceptingLoss(request.options(), Server::tell)
                : Node.start(request.options(), Server::tell);
    }

    /// Apart, so that nothing of it is loaded without need.
    private static Storage ledgers(String text) throws StartException {
        return BookKeeperStorage.parse(text);
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
        if (Node.isReplaced(failure)) {
            // Another node answers for this data now, and what this one says may be out of date.
            System.err.println(
                    "cleave: another node has taken over; this one ends: " + failure.getMessage());
            Runtime.getRuntime().halt(FAILED);
        }
        System.err.println(
                "cleave: the log failed; nothing is written until the server is started again,"
                        + " reads go on: "
                        + failure);
    }
}
