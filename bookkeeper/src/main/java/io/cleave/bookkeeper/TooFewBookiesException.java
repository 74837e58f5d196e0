package io.cleave.bookkeeper;

import io.cleave.log.LogException;

/// There are fewer bookies than the number of copies that an acknowledged write needs.
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
