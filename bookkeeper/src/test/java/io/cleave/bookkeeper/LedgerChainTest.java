package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.log.LogOptions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The list of a log's ledgers, when others change it too or a step fails halfway.
class LedgerChainTest {
    private static TestLedgers ledgers;

    private TestClients clients;

    @BeforeAll
    static void start() {
        ledgers = TestLedgers.start();
    }

    @AfterAll
    static void stop() {
        ledgers.close();
    }

    @BeforeEach
    void connect() throws Exception {
        clients = TestClients.open(ledgers.newSettings());
    }

    @AfterEach
    void disconnect() throws Exception {
        clients.close();
    }

    private LedgerChain chain() {
        return clients.log(clients.settings().root() + "/logs/1", LogOptions.DEFAULT).chain();
    }

    @Test
    void smallEntriesAreReadManyAtATimeHoweverLongTheLedgerIs() throws Exception {
        int entryCount = 1000;
        LedgerChain chain = chain();
        LedgerChain.Head head = chain.claim();
        Bytes record = Bytes.wrap(new byte[8 << 10]);
        var last = CompletableFuture.completedFuture(-1L);
        for (int entry = 0; entry < entryCount; entry++) {
            last =
                    head.ledger()
                            .appendAsync(
                                    LedgerRecords.encode(head.epoch(), entry, List.of(record)));
        }
        last.join();
        int read = 0;
        int requests = 0;
        try (var reader = new LedgerReader(chain, head.ledger().getId())) {
            reader.extendTo(entryCount - 1);
            while (!reader.isAtEnd()) {
                for (var entry : reader.next()) {
                    assertThat(entry.getEntryId()).isEqualTo(read);
                    read++;
                }
                reader.release();
                requests++;
            }
        }
        assertThat(read).isEqualTo(entryCount);
        // Two of 16 until the size of entries is known, and then 128 each.
        assertThat(requests).isLessThanOrEqualTo(2 + entryCount / 128 + 1);
    }
}
