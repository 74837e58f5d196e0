package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.base.Bytes;
import io.cleave.log.LogOptions;
import io.cleave.log.LogWriter;

import org.apache.bookkeeper.net.BookieId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A bookie goes while it is written to, and there is another that was not.
class SpareBookieTest {
    private TestLedgers ledgers;
    private TestClients clients;

    @BeforeEach
    void start() throws Exception {
        ledgers = TestLedgers.start(4);
        clients = TestClients.open(ledgers.newSettings());
    }

    @AfterEach
    void stop() throws Exception {
        clients.close();
        ledgers.close();
    }

    @Test
    void aLogGoesOnWithAllItsCopies() throws Exception {
        String path = clients.settings().root() + "/logs/1";
        try (BookKeeperLog log = clients.log(path, LogOptions.DEFAULT)) {
            LogWriter writer = log.openWriter();
            append(writer, "a");
            long first = log.chain().list().last().ledgerId();
            BookieId gone = ensemble(first).getFirst();
            ledgers.stopBookie(indexOf(gone));

            int appended = 1;
            while (log.chain().list().last().ledgerId() == first && appended < 600) {
                append(writer, "b");
                appended++;
                Thread.sleep(50);
            }

            long second = log.chain().list().last().ledgerId();
            assertThat(second).isNotEqualTo(first);
            assertThat(ensemble(second)).hasSize(3).doesNotContain(gone);
            // It stays in that one.
            for (int count = 0; count < 60; count++) {
                append(writer, "c");
                Thread.sleep(50);
            }
            assertThat(log.chain().list().last().ledgerId()).isEqualTo(second);
            assertThat(log.nextPosition()).isEqualTo(appended + 60);
        }
    }

    @Test
    void aLogThatWasBegunWithTooFewBookiesGoesOnWithMore() throws Exception {
        ledgers.stopBookie(0);
        ledgers.stopBookie(1);
        String path = clients.settings().root() + "/logs/1";
        try (BookKeeperLog log = clients.log(path, LogOptions.DEFAULT)) {
            LogWriter writer = log.openWriter();
            append(writer, "a");
            long first = log.chain().list().last().ledgerId();
            assertThat(ensemble(first)).hasSize(2);
            ledgers.startBookie(0);
            for (int count = 0; count < 600; count++) {
                append(writer, "b");
                if (log.chain().list().last().ledgerId() != first) {
                    break;
                }
                Thread.sleep(50);
            }
            assertThat(ensemble(log.chain().list().last().ledgerId())).hasSize(3);
        }
    }

    private List<BookieId> ensemble(long ledgerId) throws Exception {
        return clients.bookKeeper()
                .getLedgerMetadata(ledgerId)
                .get()
                .getAllEnsembles()
                .lastEntry()
                .getValue();
    }

    private int indexOf(BookieId bookie) {
        return ledgers.bookieOf(Integer.parseInt(bookie.toString().split(":")[1]));
    }

    private static void append(LogWriter writer, String text) {
        var told = new CompletableFuture<Long>();
        writer.append(
                Bytes.utf8(text),
                (position, failure) -> {
                    if (failure == null) {
                        told.complete(position);
                    } else {
                        told.completeExceptionally(failure);
                    }
                });
        told.join();
    }
}
