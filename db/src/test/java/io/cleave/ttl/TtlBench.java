package io.cleave.ttl;

import io.cleave.base.Bytes;
import io.cleave.blob.MemoryBlobs;
import io.cleave.query.BackgroundWork;
import io.cleave.query.Database;
import io.cleave.query.Databases;
import io.cleave.query.Texts;
import io.cleave.schema.MountStates;
import io.cleave.schema.Table;
import io.cleave.schema.TableChange;
import io.cleave.schema.YtTable;
import io.cleave.tablet.CellOptions;
import io.cleave.testkit.TestStore;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A database of three cells whose expired rows are erased when it is told to, or by themselves.
final class TtlBench implements AutoCloseable {
    final TestStore store = new TestStore(CellOptions.DEFAULT, new MemoryBlobs(), 3);
    final TtlRuns runs;
    final Database database;

    /// What the last run has done.
    long processed;

    long erased;
    long dropped;

    TtlBench() {
        runs =
                new TtlRuns(
                        store.tablets(),
                        store.transactions(),
                        TtlOptions.every(Duration.ofMillis(20)),
                        store.env());
        database =
                Databases.of(
                        store,
                        new BackgroundWork(
                                Optional.of(store.builds()), Optional.of(runs), Optional.empty()));
    }

    /// Runs a text and returns its rows.
    List<List<Value>> run(String text) {
        return Texts.run(database, store.env(), text);
    }

    /// The only value of the only row.
    long number(String text) {
        return ((Value.Int) run(text).getFirst().getFirst()).value();
    }

    Table table(String name) {
        return store.tree().find("/local/" + name).orElseThrow();
    }

    /// Goes over a table now, and returns when it has been everywhere.
    void erase(String name) throws InterruptedException {
        erase(name, () -> {});
    }

    /// The same; calls `between` after each chunk.
    void erase(String name, Runnable between) throws InterruptedException {
        processed = 0;
        erased = 0;
        dropped = 0;
        Table table = table(name);
        var progress =
                new EraseProgress() {
                    @Override
                    public void went(long ofProcessed, long ofErased, long ofDropped) {
                        processed += ofProcessed;
                        erased += ofErased;
                        dropped += ofDropped;
                        between.run();
                    }

                    @Override
                    public void finished(long tabletId, long ofProcessed, long ofErased) {}

                    @Override
                    public boolean isStopped() {
                        return false;
                    }
                };
        boolean complete =
                new EraseRun(
                                store.tablets(),
                                store.transactions(),
                                store.env(),
                                0,
                                table,
                                ExpiryRule.of(table).orElseThrow(),
                                progress)
                        .run();
        if (!complete) {
            throw new AssertionError("the run broke off");
        }
    }

    void flush(String name) {
        store.tablets()
                .map(table(name))
                .routes()
                .forEach(route -> route.cell().structure().flush(List.of(route.tabletId())));
    }

    /// Sets the states of the tablets, as YTsaurus' API does.
    void setStates(String name, MountStates states) {
        store.tree()
                .alterTable(
                        "/local/" + name,
                        List.of(new TableChange.SetYt(YtTable.OTHER.with(states))));
    }

    static Bytes key(long key) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(key));
    }

    @Override
    public void close() {
        runs.close();
        store.close();
    }
}
