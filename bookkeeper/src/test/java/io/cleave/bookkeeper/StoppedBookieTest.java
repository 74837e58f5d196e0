package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.log.LogCursor;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// A takeover while one of three bookies takes requests and answers none, as one that was stopped
/// by SIGSTOP. BookKeeper's own patience with such a bookie is set to an hour here: whoever waits
/// for it does not come back before the bookie does.
class StoppedBookieTest {
    private static final int RECORDS = 50;
    private static final String HOUR_MILLIS = "3600000";
    private static final String HOUR_SECONDS = "3600";

    private static TestLedgers ledgers;

    @BeforeAll
    static void start() {
        ledgers = TestLedgers.start();
    }

    @AfterAll
    static void stop() {
        ledgers.close();
    }

    private static BookKeeperSettings patientSettings() {
        BookKeeperSettings some = ledgers.newSettings();
        return new BookKeeperSettings(
                some.servers(),
                some.root(),
                some.ledgersRoot(),
                some.ensemble(),
                some.writeQuorum(),
                some.ackQuorum(),
                some.sessionTimeout(),
                // Only ends a test that would fail.
                Duration.ofSeconds(30),
                some.rollAge(),
                Map.of(
                        "readEntryTimeoutSec",
                        HOUR_SECONDS,
                        // What firstSpeculativeReadTimeout is, unless it is given.
                        "speculativeReadTimeout",
                        HOUR_MILLIS));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aTakeoverDoesNotWaitForIt(int bookie) throws Exception {
        BookKeeperSettings settings = patientSettings();
        String path = settings.root() + "/logs/1";
        List<String> written = new ArrayList<>();
        try (TestClients before = TestClients.open(settings);
                TestClients after = TestClients.open(settings);
                BookKeeperLog old = before.log(path, LogOptions.DEFAULT);
                BookKeeperLog fresh = after.log(path, LogOptions.DEFAULT)) {
            LogWriter writer = old.openWriter();
            for (int record = 0; record < RECORDS; record++) {
                written.add("r" + record);
                append(writer, "r" + record);
            }
            ledgers.suspendBookie(bookie);
            try {
                LogWriter taken = fresh.openWriter();
                assertThat(taken.epoch()).isGreaterThan(writer.epoch());
                assertThat(readAll(fresh)).isEqualTo(written);
                append(taken, "after");
            } finally {
                ledgers.resumeBookie(bookie);
            }
            written.add("after");
            assertThat(readAll(fresh)).isEqualTo(written);
        }
    }

    private static void append(LogWriter writer, String text) {
        var done = new CompletableFuture<Long>();
        writer.append(
                Bytes.utf8(text),
                (position, failure) -> {
                    if (failure == null) {
                        done.complete(position);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
        done.join();
    }

    private static List<String> readAll(BookKeeperLog log) {
        List<String> found = new ArrayList<>();
        try (LogCursor cursor = log.read(0)) {
            while (cursor.next()) {
                found.add(cursor.record().utf8());
            }
        }
        return found;
    }
}
