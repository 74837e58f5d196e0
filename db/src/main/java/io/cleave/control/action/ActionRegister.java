package io.cleave.control.action;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletInfo;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ObjectId;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// All actions, within the bounds that hold for all of them together.
///
/// Threads: guarded by its owner.
final class ActionRegister {
    /// Limit of the actions that are not finished.
    static final int MOST_UNFINISHED = 1000;

    /// Limit of the finished actions.
    static final int MOST_FINISHED = 10_000;

    /// Limit of the bytes of all rows.
    static final long MOST_BYTES = 64 << 20;

    /// Limit of the bytes of one row.
    static final int MOST_ROW_BYTES = 2 << 20;

    /// By number, which means oldest first.
    private final NavigableMap<Long, Entry> unfinished = new TreeMap<>();

    private final NavigableMap<Long, Entry> finished = new TreeMap<>();
    private long bytes;

    private record Entry(TabletAction action, int bytes) {}

    /// Adds the action, or replaces what is known of it.
    void put(TabletAction action, int rowBytes) {
        long number = action.id().number();
        remove(number);
        (action.isFinished() ? finished : unfinished).put(number, new Entry(action, rowBytes));
        bytes += rowBytes;
    }

    void remove(long number) {
        Entry before = unfinished.remove(number);
        if (before == null) {
            before = finished.remove(number);
        }
        if (before != null) {
            bytes -= before.bytes;
        }
    }

    Optional<TabletAction> find(ObjectId id) {
        Entry entry = unfinished.get(id.number());
        if (entry == null) {
            entry = finished.get(id.number());
        }
        return Optional.ofNullable(entry)
                .map(Entry::action)
                .filter(action -> action.id().equals(id));
    }

    /// Oldest first.
    List<TabletAction> unfinished() {
        return actions(unfinished);
    }

    /// Oldest first.
    List<TabletAction> all() {
        NavigableMap<Long, Entry> all = new TreeMap<>(finished);
        all.putAll(unfinished);
        return actions(all);
    }

    private static List<TabletAction> actions(NavigableMap<Long, Entry> entries) {
        return entries.values().stream().map(Entry::action).toList();
    }

    /// The unfinished action that has the tablet.
    Optional<TabletAction> holder(long tableId, long tabletId, KeyRange range) {
        return unfinished.values().stream()
                .map(Entry::action)
                .filter(action -> action.holds(tableId, tabletId, range))
                .findFirst();
    }

    /// Throws if one of the tablets is in an unfinished action.
    void checkFree(long tableId, List<TabletInfo> tablets) {
        for (TabletInfo tablet : tablets) {
            Optional<TabletAction> holder = holder(tableId, tablet.tabletId(), tablet.range());
            if (holder.isPresent()) {
                throw ActionRules.refused(
                        "Tablet %s already participating in action %s"
                                .formatted(
                                        ActionRules.text(tablet.tabletId()),
                                        holder.get().id().text()));
            }
        }
    }

    /// The finished actions to remove before a new row of this size fits, oldest first; those that
    /// are kept for ever are not among them. Throws OVERLOADED if there is no room for the row.
    List<Long> makeRoom(int rowBytes) {
        if (rowBytes > MOST_ROW_BYTES) {
            throw ActionRules.refused(
                    "The action has %d bytes with its keys, limit %d"
                            .formatted(rowBytes, MOST_ROW_BYTES));
        }
        if (unfinished.size() >= MOST_UNFINISHED) {
            throw full("%d tablet actions are not finished".formatted(unfinished.size()));
        }
        List<Long> removed = new ArrayList<>();
        long left = bytes;
        for (Map.Entry<Long, Entry> entry : finished.entrySet()) {
            boolean fits =
                    finished.size() - removed.size() < MOST_FINISHED
                            && left + rowBytes <= MOST_BYTES;
            if (fits) {
                break;
            }
            if (!entry.getValue().action.content().keeping().forever()) {
                removed.add(entry.getKey());
                left -= entry.getValue().bytes;
            }
        }
        if (finished.size() - removed.size() >= MOST_FINISHED || left + rowBytes > MOST_BYTES) {
            throw full("%d tablet actions are kept; remove some".formatted(finished.size()));
        }
        return removed;
    }

    private static StatusException full(String why) {
        return new StatusException(Status.OVERLOADED, "Too many tablet actions: " + why);
    }

    /// The finished actions whose time has come.
    List<Long> expired(long nowMicros) {
        List<Long> expired = new ArrayList<>();
        finished.forEach(
                (number, entry) -> {
                    TabletAction action = entry.action;
                    boolean isOver =
                            action.content().keeping().removalMicros(action.endedMicros()).stream()
                                    .anyMatch(micros -> micros <= nowMicros);
                    if (isOver) {
                        expired.add(number);
                    }
                });
        return expired;
    }
}
