package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.SystemEnv;
import io.cleave.log.LogException;

import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookkeeperInternalCallbacks.ReadEntryCallback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Bookies that take requests and do not answer them, as while their collectors run; and some that
/// answer that they do not have it.
class SilentBookieTest {
    private static final int ENTRIES = 10;
    private static TestLedgers bookies;

    private final Set<BookieId> silent = ConcurrentHashMap.newKeySet();
    private final Set<BookieId> without = ConcurrentHashMap.newKeySet();
    private TestClients clients;
    private Ledgers ledgers;
    private WriteHandle written;
    private ReadHandle ledger;
    private BookieClient asked;

    @BeforeAll
    static void start() {
        bookies = TestLedgers.start();
    }

    @AfterAll
    static void stop() {
        bookies.close();
    }

    @BeforeEach
    void write() throws Exception {
        BookKeeperSettings settings = bookies.newSettings();
        clients = TestClients.open(settings);
        ledgers = new Ledgers(clients.bookKeeper(), settings);
        written = ledgers.create("/log");
        for (int entry = 0; entry < ENTRIES; entry++) {
            append(entry);
        }
        ledger = ledgers.open(written.getId());
        asked = choosy(ledgers.bookieClient());
    }

    private void append(int position) throws Exception {
        List<Bytes> records = List.of(Bytes.utf8("r" + position));
        written.append(LedgerRecords.encode(1, position, records));
    }

    @AfterEach
    void close() throws Exception {
        ledger.close();
        written.close();
        clients.close();
    }

    /// The same bookies, but for those that are silent or without any entry.
    private BookieClient choosy(BookieClient real) {
        return (BookieClient)
                Proxy.newProxyInstance(
                        BookieClient.class.getClassLoader(),
                        new Class<?>[] {BookieClient.class},
                        (_, method, arguments) -> {
                            if (silent.contains(arguments[0])) {
                                return null;
                            }
                            if (without.contains(arguments[0])) {
                                for (int index = 0; index < arguments.length; index++) {
                                    if (arguments[index] instanceof ReadEntryCallback callback) {
                                        callback.readEntryComplete(
                                                BKException.Code.NoSuchEntryException,
                                                ledger.getId(),
                                                -1,
                                                null,
                                                arguments[index + 1]);
                                    }
                                }
                                return null;
                            }
                            return method.invoke(real, arguments);
                        });
    }

    private List<BookieId> ensemble() {
        return ledger.getLedgerMetadata().getEnsembleAt(0);
    }

    private List<String> read(BookieId quick) throws InterruptedException {
        return new EntryReads(ledgers, asked, ledger, "the ledger")
                .read(2, 5, quick).stream()
                        .map(entry -> entry.position() + entry.records().getFirst().utf8())
                        .toList();
    }

    @Test
    void entriesAreReadFromAnother() throws Exception {
        for (BookieId bookie : ensemble()) {
            silent.add(bookie);
            assertThat(read(bookie)).containsExactly("2r2", "3r3", "4r4", "5r5");
            silent.clear();
            without.add(bookie);
            assertThat(read(bookie)).containsExactly("2r2", "3r3", "4r4", "5r5");
            without.clear();
        }
        silent.add(ensemble().get(0));
        without.add(ensemble().get(1));
        assertThat(read(ensemble().get(0))).hasSize(4);
        assertThat(read(ensemble().get(2))).hasSize(4);
    }

    @Test
    void anEntryThatNobodyHasIsAFailure() {
        without.addAll(ensemble());
        assertThatThrownBy(() -> read(ensemble().get(0)))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("No such entry");
    }

    @Test
    void theEndIsLearntFromAnother() throws Exception {
        int next = ENTRIES;
        for (BookieId bookie : ensemble()) {
            for (Set<BookieId> fault : List.of(silent, without)) {
                fault.add(bookie);
                var polls = new LedgerPolls(new SystemEnv(), ledgers, asked, ledger, "the ledger");
                append(next);
                // With this one the bookies learn that the one before is confirmed.
                append(next + 1);
                while (polls.lastConfirmed() < next) {
                    polls.ask(next - 1).get(30, TimeUnit.SECONDS);
                }
                assertThat(polls.entry(next).position()).isEqualTo(next);
                assertThat(polls.quick()).isNotNull().isNotEqualTo(bookie);
                fault.clear();
                next += 2;
            }
        }
    }

    @Test
    void thatNobodyAnswersIsAFailure() {
        without.addAll(ensemble());
        var polls = new LedgerPolls(new SystemEnv(), ledgers, asked, ledger, "the ledger");
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        assertThatThrownBy(
                        () -> {
                            while (System.nanoTime() < deadline) {
                                var _ = polls.ask(ENTRIES);
                            }
                        })
                .isInstanceOf(LogException.class)
                .hasMessageContaining("are [");
    }
}
