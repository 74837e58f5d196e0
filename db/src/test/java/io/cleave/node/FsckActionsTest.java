package io.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.catalog.ActionRows;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.action.ActionDecisions;
import io.cleave.control.action.ActionRequest;
import io.cleave.control.action.Keeping;
import io.cleave.control.action.TabletAction;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletActions;
import io.cleave.faults.DiskStore;
import io.cleave.schema.Table;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// What a check of a data folder says of the rows of actions.
class FsckActionsTest {
    private static final String TABLE = "/local/t";

    @TempDir private Path temp;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimEnv env = new SimEnv(1);

    @BeforeEach
    void createTable() {
        run(store -> store.createTable(TABLE, 2));
    }

    private void run(Consumer<DiskStore> work) {
        env.run(
                () -> {
                    try (var store = new DiskStore(disk, env, 2)) {
                        work.accept(store);
                    }
                });
    }

    private static void put(DiskStore store, ActionRows.Change change) {
        store.store().catalog().decisions().change(Collections.emptySortedMap(), List.of(), change);
    }

    /// The row is stored, and the process ends.
    private static void beginOnly(DiskStore store, Env env) {
        var actions =
                new TabletActions(
                        store.tablets(),
                        store.resharding(),
                        store.store().catalog().actions(),
                        env);
        actions.start(
                new ActionDecisions() {
                    @Override
                    public void save(ActionRows.Change change) {
                        put(store, change);
                        throw new StatusException(Status.UNAVAILABLE, "the process ends");
                    }

                    @Override
                    public void ended(
                            TabletAction action, long tookMicros, List<TabletInfo> tablets) {}
                });
        Table table = store.tree().find(TABLE).orElseThrow();
        TabletInfo tablet = store.tablets().infos(table).getFirst();
        var request =
                ActionRequest.move(
                        table,
                        tablet.tabletId(),
                        3 - tablet.cellId(),
                        Origin.CLIENT,
                        Keeping.FOREVER);
        assertThatThrownBy(() -> actions.begin(request)).hasMessageContaining("the process ends");
        actions.close();
    }

    private String check() throws Exception {
        Path data = temp.resolve("data");
        FolderCopy.write(disk, data);
        FolderCopy.addMedium(data);
        return Fsck.run(data, Map.of()).text();
    }

    @Test
    void anActionThatTheNextStartFinishes() throws Exception {
        run(store -> beginOnly(store, env));
        assertThat(check())
                .containsPattern("note action 0-[0-9a-f]+-102c7-1: the server ended while")
                .contains("it was to move tablets of /local/t; the next start finishes it");
    }

    @Test
    void anActionWhoseTableIsGone() throws Exception {
        run(
                store -> {
                    beginOnly(store, env);
                    store.dropTable(TABLE);
                });
        assertThat(check()).contains("the next start ends it, because the table is gone");
    }

    @Test
    void aRowThatNobodyCanRead() throws Exception {
        run(
                store ->
                        put(
                                store,
                                new ActionRows.Change(
                                        new TreeMap<>(Map.of(77L, Bytes.utf8("\u0009"))),
                                        new TreeSet<>())));
        assertThat(check())
                .contains("DAMAGE")
                .contains("action 77 has form 9, which this version does not know");
    }
}
