package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.log.LogOptions;

import org.apache.bookkeeper.client.api.WriteHandle;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

class BookKeeperLogWriterTest {
    @Test
    void aWriterThatCannotMakeAnEntryEndsWhenTheOthersAreAnsweredFor() throws Exception {
        try (TestLedgers ledgers = TestLedgers.start();
                TestClients clients = TestClients.open(ledgers.newSettings());
                BookKeeperLog log = clients.log("/log", LogOptions.DEFAULT)) {
            LedgerChain.Head head = log.chain().claim();
            var sent = new AtomicInteger();
            WriteHandle failing =
                    Calls.before(
                            WriteHandle.class,
                            head.ledger(),
                            "appendAsync",
                            () -> {
                                // The first record, and the first of the other's parts, go.
                                if (sent.incrementAndGet() == 3) {
                                    throw new IllegalStateException("no memory");
                                }
                            });
            var writer =
                    new BookKeeperLogWriter(
                            new SystemEnv(),
                            log.chain(),
                            new LedgerChain.Head(head.epoch(), head.from(), failing),
                            LogOptions.DEFAULT,
                            _ -> {},
                            _ -> {});
            Queue<String> told = new ConcurrentLinkedQueue<>();
            for (int bytes : List.of(1, 3 << 20)) {
                writer.append(
                        Bytes.wrap(new byte[bytes]),
                        (position, failure) -> told.add(position + " " + (failure == null)));
            }
            writer.start().close();
            assertThat(told).containsExactly("0 true", "1 false");
            assertThat(sent).hasValue(3);
            assertThat(log.chain().seal(head.epoch())).isEqualTo(1);
        }
    }
}
