package io.cleave.balance.yt;

import io.cleave.balance.Decision;
import io.cleave.balance.Decision.Leave;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Collects decisions by table: changes come before notes.
final class PolicyAnswer {
    /// Whether somebody wants to know why tablets are left alone.
    private final boolean hasReasons;

    /// By table id.
    private final Map<Long, List<Decision>> changes = new LinkedHashMap<>();

    private final Map<Long, List<Decision>> notes = new LinkedHashMap<>();

    /// The ids of tables whose reasons are to be logged in any case.
    private final Set<Long> verbose = new HashSet<>();

    PolicyAnswer(boolean hasReasons) {
        this.hasReasons = hasReasons;
    }

    void change(long tableId, Decision decision) {
        changes.computeIfAbsent(tableId, _ -> new ArrayList<>()).add(decision);
    }

    void setVerbose(long tableId) {
        verbose.add(tableId);
    }

    void leave(long tableId, Supplier<Leave> leave) {
        if (hasReasons || verbose.contains(tableId)) {
            notes.computeIfAbsent(tableId, _ -> new ArrayList<>()).add(leave.get());
        }
    }

    /// Leaves all tablets of a table alone.
    void leaveAll(TableState table, Rule rule, String why) {
        for (TabletState tablet : table.tablets()) {
            leave(
                    table.table().id(),
                    () -> new Leave(tablet.tabletId(), rule, List.of(), List.of(), why));
        }
    }

    Map<Long, List<Decision>> decisions() {
        Map<Long, List<Decision>> all = new LinkedHashMap<>();
        changes.forEach((tableId, list) -> all.put(tableId, new ArrayList<>(list)));
        notes.forEach(
                (tableId, list) ->
                        all.computeIfAbsent(tableId, _ -> new ArrayList<>()).addAll(list));
        return all;
    }
}
