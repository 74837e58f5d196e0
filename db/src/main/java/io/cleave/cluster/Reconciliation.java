package io.cleave.cluster;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.catalog.CatalogView;
import io.cleave.catalog.TabletPlace;
import io.cleave.schema.KeyRange;
import io.cleave.schema.Table;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a crash has left undone between the catalog and the cells, and what finishes or undoes it:
/// see `docs/tablets.md`. The cells are the truth about tablets, the catalog about tables. Pure.
///
/// @param drops tablets whose keys are elsewhere, or of no table
/// @param resumes tablets that were on their way to another cell and have not come there
/// @param tablets what each table of the catalog has then, in key order, by its id
public record Reconciliation(
        List<Drop> drops, List<Resume> resumes, Map<Long, List<Found>> tablets) {
    public Reconciliation {
        drops = List.copyOf(drops);
        resumes = List.copyOf(resumes);
        tablets = Map.copyOf(tablets);
    }

    /// A tablet as its cell's log tells it; detached if it was on its way to another.
    public record Found(
            long cellId,
            long tabletId,
            long tableId,
            KeyRange range,
            long epoch,
            boolean isDetached) {}

    public record Drop(Found tablet, String why) {}

    public record Resume(Found tablet) {}

    /// Every id below `idBound` may have been given out. Throws [CorruptionException] when the
    /// cells are not those of this catalog.
    public static Reconciliation of(CatalogView view, long idBound, Collection<Found> found) {
        Map<Long, List<Found>> byTable = new LinkedHashMap<>();
        for (Found tablet : found) {
            if (tablet.tabletId() >= idBound) {
                throw corrupt(
                        "knows nothing of tablet %d of the cell".formatted(tablet.tabletId()));
            }
            byTable.computeIfAbsent(tablet.tableId(), _ -> new ArrayList<>()).add(tablet);
        }
        List<Drop> drops = new ArrayList<>();
        List<Resume> resumes = new ArrayList<>();
        Map<Long, List<Found>> tablets = new HashMap<>();
        for (Table table : view.tables()) {
            List<Found> ofTable = byTable.remove(table.id());
            var one = new OneTable(table, drops, resumes);
            tablets.put(table.id(), one.reconcile(ofTable == null ? List.of() : ofTable));
        }
        for (List<Found> orphans : byTable.values()) {
            orphans.forEach(
                    tablet ->
                            drops.add(
                                    new Drop(
                                            tablet,
                                            "belongs to no table: a crash came while one was made"
                                                    + " or dropped")));
        }
        return new Reconciliation(drops, resumes, tablets);
    }

    /// Whether the catalog has the table's tablets elsewhere, or others.
    public boolean differs(CatalogView view, Table table) {
        List<TabletPlace> places =
                tablets.getOrDefault(table.id(), List.of()).stream()
                        .map(
                                tablet ->
                                        new TabletPlace(
                                                tablet.tabletId(),
                                                tablet.cellId(),
                                                tablet.range(),
                                                tablet.epoch()))
                        .toList();
        return !places.equals(view.tablets(table.id()));
    }

    /// The tablets of one table: those that count hold every key once.
    private record OneTable(Table table, List<Drop> drops, List<Resume> resumes) {
        List<Found> reconcile(List<Found> found) {
            Map<Long, Found> counting = new HashMap<>();
            // What is attached comes before what has left, and what is newer before what is older.
            found.stream()
                    .sorted(
                            Comparator.comparing(Found::isDetached)
                                    .thenComparing(Found::epoch, Comparator.reverseOrder()))
                    .forEach(tablet -> judge(tablet, counting));
            List<Found> inOrder =
                    counting.values().stream()
                            .sorted(Comparator.comparing(tablet -> tablet.range().from()))
                            .toList();
            checkCover(inOrder);
            return inOrder;
        }

        private void judge(Found tablet, Map<Long, Found> counting) {
            Optional<Found> heir = Optional.ofNullable(counting.get(tablet.tabletId()));
            if (heir.isEmpty() && tablet.isDetached()) {
                heir =
                        counting.values().stream()
                                .filter(other -> other.range().intersects(tablet.range()))
                                .findFirst();
            }
            if (heir.isPresent()) {
                String why =
                        "is in cell %d now: a crash came while it was moved"
                                .formatted(heir.get().cellId());
                drops.add(new Drop(tablet, why));
                return;
            }
            if (tablet.isDetached()) {
                resumes.add(new Resume(tablet));
            }
            counting.put(tablet.tabletId(), tablet);
        }

        private void checkCover(List<Found> counting) {
            @Nullable Bytes next = Bytes.EMPTY;
            for (Found tablet : counting) {
                if (next == null || !tablet.range().from().equals(next)) {
                    throw corrupt(
                            "table %s: tablet %d of cell %d does not begin where the one before ends"
                                    .formatted(table.path(), tablet.tabletId(), tablet.cellId()));
                }
                next = tablet.range().to();
            }
            if (next != null) {
                throw corrupt(
                        "table %s: its tablets do not reach to the end of all keys"
                                .formatted(table.path()));
            }
        }
    }

    private static CorruptionException corrupt(String what) {
        return new CorruptionException("the catalog", 0, what);
    }
}
