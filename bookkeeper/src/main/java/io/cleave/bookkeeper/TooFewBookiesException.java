package io.cleave.bookkeeper;

import io.cleave.log.LogException;

/// There are not as many bookies as an acknowledged write needs copies.
final class TooFewBookiesException extends LogException {
    TooFewBookiesException(BookKeeperSettings settings, Throwable cause) {
        super(
                ("fewer than %d bookies are registered under %s of ZooKeeper at %s and take writes:"
                                + " start more, or give a smaller ack-quorum")
                        .formatted(
                                settings.ackQuorum(), settings.ledgersRoot(), settings.servers()),
                cause);
    }
}
