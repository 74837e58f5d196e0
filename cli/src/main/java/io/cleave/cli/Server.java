package io.cleave.cli;

import io.cleave.bookkeeper.BookKeeperStorage;
import io.cleave.node.Node;
import io.cleave.node.StartException;
import io.cleave.node.Storage;

import org.jline.utils.Signals;

import java.util.concurrent.CountDownLatch;

/// Runs a node until SIGTERM or Ctrl-C, and then finishes accepted requests. A second signal ends
/// the process at once.
final class Server {
    private static final int DONE = 0;
    private static final int FAILED = 1;

    /// The JVM option for the number of carrier threads of virtual threads.
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    private final CountDownLatch asked = new CountDownLatch(1);

    /// Returns the exit code after a stop signal or a failed start.
    int run(StartArguments.Request request) throws InterruptedException {
        addCarrier();
        Signals.register("TERM", this::stop);
        Signals.register("INT", this::stop);
        try (Node node = start(request)) {
            node.ytLine().ifPresent(System.out::println);
            System.out.println(node.readyLine());
            System.out.flush();
            asked.await();
            return DONE;
        } catch (StartException e) {
            System.err.println("cleave: " + e.getMessage());
            return FAILED;
        }
    }

    /// Uses one carrier thread more than there are processors, unless the option is given: long
    /// queries may occupy all processors, and short requests still find a carrier. The JVM reads
    /// the option when it creates the first virtual thread.
    private static void addCarrier() {
        if (System.getProperty(CARRIERS) == null) {
            int carriers = Runtime.getRuntime().availableProcessors() + 1;
            System.setProperty(CARRIERS, Integer.toString(carriers));
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

    /// In a separate method, so that BookKeeper classes are loaded only if needed.
    private static Storage ledgers(String text) throws StartException {
        return BookKeeperStorage.parse(text);
    }

    private void stop() {
        if (asked.getCount() == 0) {
            Runtime.getRuntime().halt(FAILED);
        }
        asked.countDown();
    }

    /// Reports a failed log: what reached the disk is unknown until the log is reopened and read.
    /// Durable data can still be read.
    private static void tell(Throwable failure) {
        if (Node.isReplaced(failure)) {
            // Another node serves this data now, and answers of this one may be out of date.
            System.err.println(
                    "cleave: another node has taken over; this node stops: "
                            + failure.getMessage());
            Runtime.getRuntime().halt(FAILED);
        }
        System.err.println(
                "cleave: the log failed; writes are refused until the server is started again,"
                        + " reads continue: "
                        + failure);
    }
}
