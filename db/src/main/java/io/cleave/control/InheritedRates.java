package io.cleave.control;

import io.cleave.base.Bytes;
import io.cleave.schema.KeyRange;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletCounters.Part;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Hands the rates of tablets on to those that have their keys now, after a split, a merge or a
/// move. Without this, a tablet that was just moved would seem to have no load, and others would be
/// moved to its cell.
///
/// A tablet that was cut hands its rates on in proportion to the sizes of its parts.
final class InheritedRates {
    private InheritedRates() {}

    /// @param before the tablets at the last look, with those that are still there
    /// @param opened tablets that were not there then, in key order
    static void hand(Collection<TabletWatch> before, List<TabletWatch> opened) {
        if (opened.isEmpty() || before.isEmpty()) {
            return;
        }
        List<TabletWatch> earlier = new ArrayList<>(before);
        earlier.sort(Comparator.comparing(watch -> watch.range().from()));
        Map<TabletWatch, List<TabletWatch>> heirs = new HashMap<>();
        Map<TabletWatch, List<TabletWatch>> parents = new HashMap<>();
        int first = 0;
        for (TabletWatch heir : opened) {
            while (first < earlier.size() && isBefore(earlier.get(first), heir.range())) {
                first++;
            }
            for (int index = first;
                    index < earlier.size() && !isBefore(heir, earlier.get(index).range());
                    index++) {
                TabletWatch parent = earlier.get(index);
                heirs.computeIfAbsent(parent, _ -> new ArrayList<>()).add(heir);
                parents.computeIfAbsent(heir, _ -> new ArrayList<>()).add(parent);
            }
        }
        parents.forEach(
                (heir, all) ->
                        heir.continueRates(
                                TabletCounters.fromParts(
                                        all.stream()
                                                .map(parent -> part(parent, heir, heirs))
                                                .toList())));
    }

    private static boolean isBefore(TabletWatch watch, KeyRange range) {
        @Nullable Bytes end = watch.range().to();
        return end != null && end.compareTo(range.from()) <= 0;
    }

    private static Part part(
            TabletWatch parent, TabletWatch heir, Map<TabletWatch, List<TabletWatch>> heirs) {
        List<TabletWatch> all = Objects.requireNonNull(heirs.get(parent));
        double bytes = 0;
        for (TabletWatch each : all) {
            bytes += each.bytes();
        }
        double share = bytes > 0 ? heir.bytes() / bytes : 1.0 / all.size();
        return new Part(parent.counters(), share);
    }
}
