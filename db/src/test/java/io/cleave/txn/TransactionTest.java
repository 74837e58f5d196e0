package io.cleave.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Direction;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableDefinition.TypedValue;
import io.cleave.schema.TableOptions;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.TestStore;
import io.cleave.txn.CommitOutcome.Committed;
import io.cleave.txn.CommitOutcome.Conflict;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Value.Null;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What transactions may see of each other. The table has three tablets: keys below 10, below 20
/// and the rest. They are in one cell, or each in another.
@ParameterizedClass
@ValueSource(ints = {1, 3})
class TransactionTest {
    private final TestStore store;
    private Table table;

    TransactionTest(int cells) {
        store = new TestStore(cells);
        table = makeTable();
    }

    @BeforeEach
    void threeRows() {
        commit(upsert(1, "one"), upsert(11, "eleven"), upsert(21, "twenty-one"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aSnapshotDoesNotMove() {
        Transaction reader = begin(Isolation.SNAPSHOT_READ_ONLY);
        assertThat(name(reader, 1)).isEqualTo("one");
        commit(upsert(1, "changed"), upsert(2, "new"));
        assertThat(name(reader, 1)).isEqualTo("one");
        assertThat(names(reader)).containsExactly("one", "eleven", "twenty-one");
        assertThat(names(begin(Isolation.SNAPSHOT_READ_ONLY)))
                .containsExactly("changed", "new", "eleven", "twenty-one");
    }

    @Test
    void aTransactionSeesItsOwnWrites() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        write(tx, 11, RowWrite.ERASE);
        upsert(12, "twelve").accept(tx);
        upsert(1, "uno").accept(tx);
        assertThat(names(tx)).containsExactly("uno", "twelve", "twenty-one");
        assertThat(names(tx, Direction.BACKWARD)).containsExactly("twenty-one", "twelve", "uno");
        assertThat(name(tx, 11)).isNull();
        assertThat(names(begin(Isolation.SERIALIZABLE)))
                .containsExactly("one", "eleven", "twenty-one");
    }

    @Test
    void anUpsertKeepsWhatItDoesNotName() {
        commit(tx -> write(tx, 1, new RowWrite(RowWrite.Kind.UPSERT, cols(2), vals(of(7)))));
        assertThat(row(begin(Isolation.SERIALIZABLE), 1))
                .containsExactly(of(1), Value.text("one"), of(7));
        commit(tx -> write(tx, 1, new RowWrite(RowWrite.Kind.REPLACE, cols(2), vals(of(8)))));
        assertThat(row(begin(Isolation.SERIALIZABLE), 1)).containsExactly(of(1), Null.NULL, of(8));
    }

    @Test
    void aWriteUnderAReadAborts() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        assertThat(name(tx, 1)).isEqualTo("one");
        commit(upsert(1, "other"));
        upsert(2, "mine").accept(tx);
        assertThat(tx.commit()).isEqualTo(new Conflict("/local/t"));
        assertThat(name(begin(Isolation.SERIALIZABLE), 2)).isNull();
    }

    @Test
    void aReadOfWhatWasWrittenSinceTheSnapshotAborts() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        assertThat(name(tx, 21)).isEqualTo("twenty-one");
        commit(upsert(1, "other"));
        assertThat(name(tx, 1)).isEqualTo("one");
        upsert(2, "mine").accept(tx);
        assertThat(tx.commit()).isInstanceOf(Conflict.class);
    }

    @Test
    void aPhantomAborts() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        assertThat(names(tx)).hasSize(3);
        commit(upsert(15, "phantom"));
        upsert(30, "mine").accept(tx);
        assertThat(tx.commit()).isInstanceOf(Conflict.class);
    }

    @Test
    void anAbsentRowThatAppearsAborts() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        assertThat(name(tx, 5)).isNull();
        commit(upsert(5, "five"));
        upsert(30, "mine").accept(tx);
        assertThat(tx.commit()).isInstanceOf(Conflict.class);
    }

    @Test
    void aWriteNextToAReadDoesNotAbort() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        assertThat(name(tx, 1)).isEqualTo("one");
        commit(upsert(2, "other"), upsert(11, "other"));
        upsert(3, "mine").accept(tx);
        assertThat(tx.commit()).isInstanceOf(Committed.class);
    }

    @Test
    void aTransactionThatOnlyReadNeverAborts() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        assertThat(names(tx)).hasSize(3);
        commit(upsert(1, "other"));
        assertThat(tx.commit()).isInstanceOf(Committed.class);
    }

    @Test
    void blindWritesDoNotConflict() {
        Transaction first = begin(Isolation.SERIALIZABLE);
        Transaction second = begin(Isolation.SERIALIZABLE);
        upsert(1, "first").accept(first);
        upsert(1, "second").accept(second);
        assertThat(second.commit()).isInstanceOf(Committed.class);
        assertThat(first.commit()).isInstanceOf(Committed.class);
        assertThat(name(begin(Isolation.SERIALIZABLE), 1)).isEqualTo("first");
    }

    @Test
    void snapshotReadWriteAbortsOnlyWhenBothWrote() {
        Transaction skewed = begin(Isolation.SNAPSHOT_READ_WRITE);
        assertThat(name(skewed, 1)).isEqualTo("one");
        commit(upsert(1, "other"));
        upsert(2, "mine").accept(skewed);
        assertThat(skewed.commit()).isInstanceOf(Committed.class);

        Transaction late = begin(Isolation.SNAPSHOT_READ_WRITE);
        assertThat(name(late, 1)).isEqualTo("other");
        commit(upsert(1, "again"));
        upsert(1, "lost").accept(late);
        assertThat(late.commit()).isInstanceOf(Conflict.class);
    }

    @Test
    void writeSkewIsCaught() {
        Transaction first = begin(Isolation.SERIALIZABLE);
        Transaction second = begin(Isolation.SERIALIZABLE);
        assertThat(name(first, 1)).isEqualTo("one");
        assertThat(name(second, 11)).isEqualTo("eleven");
        upsert(11, "first").accept(first);
        upsert(1, "second").accept(second);
        assertThat(first.commit()).isInstanceOf(Committed.class);
        assertThat(second.commit()).isInstanceOf(Conflict.class);
        assertThat(names(begin(Isolation.SERIALIZABLE)))
                .containsExactly("one", "first", "twenty-one");
    }

    @Test
    void aLostUpdateIsCaughtInSnapshotModeWhateverElseIsWritten() {
        Transaction late = begin(Isolation.SNAPSHOT_READ_WRITE);
        assertThat(name(late, 21)).isEqualTo("twenty-one");
        commit(upsert(21, "other"));
        upsert(1, "mine").accept(late);
        upsert(21, "mine").accept(late);
        assertThat(late.commit()).isInstanceOf(Conflict.class);
        assertThat(names(begin(Isolation.SERIALIZABLE))).containsExactly("one", "eleven", "other");
    }

    @Test
    void snapshotsInSnapshotModeAllowWriteSkew() {
        Transaction first = begin(Isolation.SNAPSHOT_READ_WRITE);
        Transaction second = begin(Isolation.SNAPSHOT_READ_WRITE);
        assertThat(names(first)).isEqualTo(names(second));
        upsert(11, "first").accept(first);
        upsert(1, "second").accept(second);
        assertThat(first.commit()).isInstanceOf(Committed.class);
        assertThat(second.commit()).isInstanceOf(Committed.class);
    }

    @Test
    void aSnapshotReaderNeverFailsWhateverOthersDo() {
        Transaction reader = begin(Isolation.SNAPSHOT_READ_ONLY);
        assertThat(names(reader)).hasSize(3);
        commit(upsert(1, "a"), upsert(11, "b"), upsert(21, "c"));
        assertThat(names(reader)).containsExactly("one", "eleven", "twenty-one");
        assertThat(reader.commit()).isInstanceOf(Committed.class);
    }

    /// A query in one of these modes is a transaction of its own.
    @Test
    void onlineAndStaleReadsSeeWhatIsNewest() {
        for (Isolation mode :
                List.of(
                        Isolation.ONLINE_READ_ONLY,
                        Isolation.ONLINE_INCONSISTENT,
                        Isolation.STALE_READ_ONLY)) {
            assertThat(mode.interactive()).isFalse();
            commit(upsert(1, "before " + mode), upsert(21, "before " + mode));
            Transaction query = begin(mode);
            assertThat(name(query, 1)).isEqualTo("before " + mode);
            commit(upsert(1, "after " + mode), upsert(21, "after " + mode));
            assertThat(name(query, 21)).as("of one moment").isEqualTo("before " + mode);
            assertThat(name(begin(mode), 21)).isEqualTo("after " + mode);
            assertThatThrownBy(() -> upsert(1, "x").accept(begin(mode)))
                    .hasMessageContaining("cannot write");
            assertThat(query.commit()).isInstanceOf(Committed.class);
        }
    }

    @Test
    void theWayOfACommitIsCounted() {
        CommitCounters counters = store.transactions().counters();
        long oneCell = counters.oneCell();
        long severalCells = counters.severalCells();
        commit(upsert(1, "a"), upsert(2, "b"));
        assertThat(counters.oneCell()).isEqualTo(oneCell + 1);
        commit(upsert(1, "a"), upsert(21, "b"));
        Transaction reader = begin(Isolation.SERIALIZABLE);
        name(reader, 11);
        upsert(21, "c").accept(reader);
        assertThat(reader.commit()).isInstanceOf(Committed.class);
        boolean together = store.cells().size() == 1;
        assertThat(counters.oneCell()).isEqualTo(oneCell + (together ? 3 : 1));
        assertThat(counters.severalCells()).isEqualTo(severalCells + (together ? 0 : 2));
        assertThat(counters.abortedByMove()).isZero();
    }

    @Test
    void aTransactionThatIsTooOldIsAborted() {
        var time = new SimEnv(1);
        var transactions = new OptimisticTransactions(store.tablets(), time);
        time.run(
                () -> {
                    Transaction tx = transactions.begin(Isolation.SERIALIZABLE);
                    upsert(1, "early").accept(tx);
                    sleep(time, OptimisticTransaction.MAX_LIFETIME);
                    assertThatThrownBy(() -> upsert(2, "late").accept(tx))
                            .isInstanceOfSatisfying(
                                    StatusException.class,
                                    e -> assertThat(e.status()).isEqualTo(Status.ABORTED))
                            .hasMessageContaining("at most 60 minutes");
                    assertThatThrownBy(tx::commit).hasMessageContaining("has ended");
                });
        assertThat(name(begin(Isolation.SERIALIZABLE), 1)).isEqualTo("one");
    }

    private static void sleep(SimEnv time, Duration span) {
        try {
            time.sleep(span);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aReadOnlyTransactionCannotWrite() {
        Transaction tx = begin(Isolation.SNAPSHOT_READ_ONLY);
        assertThatThrownBy(() -> upsert(1, "x").accept(tx))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("cannot write");
    }

    @Test
    void anEndedTransactionIsGone() {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        tx.rollback();
        tx.rollback();
        assertThatThrownBy(() -> name(tx, 1)).hasMessageContaining("has ended");
    }

    @Test
    void everythingIsThereAfterARestart() {
        store.restart();
        table = store.tree().find("/local/t").orElseThrow();
        assertThat(names(begin(Isolation.SERIALIZABLE)))
                .containsExactly("one", "eleven", "twenty-one");
        assertThat(store.tablets().infos(table)).hasSize(3);
    }

    @Test
    void rowsGoToTheTabletOfTheirKey() {
        assertThat(store.tablets().infos(table).stream().map(t -> t.rows()).toList())
                .containsExactly(1L, 1L, 1L);
        assertThat(store.tree().tabletCount(table, KeyRange.point(key(11)))).isEqualTo(1);
        assertThat(store.tree().tabletCount(table, new KeyRange(key(5), key(15)))).isEqualTo(2);
    }

    /// Something done in a transaction.
    private interface Step {
        void accept(Transaction tx);
    }

    private void commit(Step... steps) {
        Transaction tx = begin(Isolation.SERIALIZABLE);
        for (Step step : steps) {
            step.accept(tx);
        }
        assertThat(tx.commit()).isInstanceOf(Committed.class);
    }

    private Transaction begin(Isolation isolation) {
        return store.transactions().begin(isolation);
    }

    private Step upsert(long id, String name) {
        return tx ->
                write(tx, id, new RowWrite(RowWrite.Kind.UPSERT, cols(1), vals(Value.text(name))));
    }

    private void write(Transaction tx, long id, RowWrite write) {
        tx.write(table, key(id), write);
    }

    private Value[] row(Transaction tx, long id) {
        Value[] row = tx.get(key(id), ReadColumns.of(table, 0, 1, 2));
        assertThat(row).isNotNull();
        return row;
    }

    private String name(Transaction tx, long id) {
        Value[] row = tx.get(key(id), ReadColumns.of(table, 1));
        return row == null ? null : ((Value.Text) row[0]).value();
    }

    private List<String> names(Transaction tx) {
        return names(tx, Direction.FORWARD);
    }

    private List<String> names(Transaction tx, Direction direction) {
        List<String> names = new ArrayList<>();
        try (RowStream rows = tx.scan(KeyRange.ALL, ReadColumns.of(table, 1), direction)) {
            while (rows.next()) {
                names.add(((Value.Text) rows.row()[0]).value());
            }
        }
        return names;
    }

    private Table makeTable() {
        store.tree()
                .createTable(
                        new TableDefinition(
                                "/local/t",
                                List.of(
                                        column("id", Primitive.UINT64),
                                        column("name", Primitive.UTF8),
                                        column("number", Primitive.UINT64)),
                                List.of("id"),
                                List.of(),
                                TableOptions.DEFAULT,
                                new Layout.AtKeys(List.of(cut(10), cut(20))),
                                Map.of()),
                        false);
        return store.tree().find("/local/t").orElseThrow();
    }

    private static List<TypedValue> cut(long id) {
        return List.of(new TypedValue(Primitive.UINT64, of(id)));
    }

    private static NewColumn column(String name, Primitive type) {
        return new NewColumn(name, type, false, Column.DEFAULT_FAMILY, Optional.empty());
    }

    private static Bytes key(long id) {
        return KeyCodec.encode(List.of(Primitive.UINT64), of(id));
    }

    private static Value of(long value) {
        return Value.of(value);
    }

    private static int[] cols(int... columns) {
        return columns;
    }

    private static Value[] vals(Value... values) {
        return values;
    }
}
