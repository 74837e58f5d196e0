package io.cleave.control;

import io.cleave.balance.BalanceSettings;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.action.TabletActions;
import io.cleave.faults.DiskStore;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;
import io.cleave.testkit.SimulatedDisk;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.time.Duration;
import java.util.List;

/// A store on a simulated disk with a table over three cells, whose actions are carried out.
final class ActionRig implements AutoCloseable {
    static final String TABLE = "/local/t";
    static final int CELLS = 3;

    /// A number that begins with these six bits, so that evenly cut tablets have their part of the
    /// keys.
    static long id(int first) {
        return (long) first << 58;
    }

    static Bytes key(int first) {
        return KeyCodec.encode(List.of(Primitive.UINT64), Value.of(id(first)));
    }

    final DiskStore store;
    final TabletActions actions;
    final DecisionLog log;
    final ActionLog actionLog;
    private final Env env;

    ActionRig(SimulatedDisk disk, Env env) {
        this.env = env;
        store = new DiskStore(disk, env, CELLS);
        actions =
                new TabletActions(
                        store.tablets(),
                        store.resharding(),
                        store.store().catalog().actions(),
                        env);
        log =
                new DecisionLog(
                        store.store().catalog().decisions(),
                        DecisionLimits.keeping(Duration.ofDays(7)),
                        env.wallMicros(),
                        ActionLog.goingOn(actions));
        actionLog = new ActionLog(log, new Verdicts(log, BalanceSettings.DEFAULT), env);
    }

    void start() {
        actions.start(actionLog);
    }

    void awaitRest(SimulatedDisk disk) {
        try {
            while (!actions.isAtRest() && !disk.isOff()) {
                env.sleep(Duration.ofMillis(1));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    List<String> layout() {
        return tablets().stream()
                .map(
                        tablet ->
                                tablet.range().from().isEmpty()
                                        ? "-"
                                        : "%02x".formatted(first(tablet.range())))
                .toList();
    }

    private static long first(KeyRange range) {
        Value[] key = KeyCodec.decode(List.of(Primitive.UINT64), range.from());
        return ((Value.Int) key[0]).value() >>> 58;
    }

    List<TabletInfo> tablets() {
        return store.tablets().infos(table());
    }

    Table table() {
        return store.tree().find(TABLE).orElseThrow();
    }

    @Override
    public void close() {
        actions.close();
        store.close();
    }
}
