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

/// Finds the differences that a crash left between the catalog and the cells, and what finishes or
/// undoes each of them: see `docs/tablets.md`. The cells are right about tablets, the catalog about
/// tables. Pure.
///
/// @param drops tablets whose keys are in another tablet, or that belong to no table
/// @param resumes tablets that were detached for a move and did not arrive in the other cell
/// @param tablets the tablets of each catalog table after that, in key order, by table id
public record Reconciliation(
        List<Drop> drops, List<Resume> resumes, Map<Long, List<CellTablet>> tablets) {
    public Reconciliation {
        drops = List.copyOf(drops);
        resumes = List.copyOf(resumes);
        tablets = Map.copyOf(tablets);
    }

    /// A tablet from the log of its cell; detached if it was being moved to another cell.
    public record CellTablet(
            long cellId,
            long tabletId,
            long tableId,
            KeyRange range,
            long epoch,
            boolean isDetached) {}

    public record Drop(CellTablet tablet, String why) {}

    public record Resume(CellTablet tablet) {}

    /// Every id below `idBound` may have been given out. Throws [CorruptionException] if the cells
    /// do not belong to this catalog.
    public static Reconciliation of(CatalogView view, long idBound, Collection<CellTablet> found) {
        Map<Long, List<CellTablet>> byTable = new LinkedHashMap<>();
        for (CellTablet tablet : found) {
            if (tablet.tabletId() >= idBound) {
                throw corrupt(
                        ("has no record of tablet %d, which is in cell %d: the end of the catalog's"
                                        + " log is lost, or the cell belongs to another database")
                                .formatted(tablet.tabletId(), tablet.cellId()));
            }
            byTable.computeIfAbsent(tablet.tableId(), _ -> new ArrayList<>()).add(tablet);
        }
        List<Drop> drops = new ArrayList<>();
        List<Resume> resumes = new ArrayList<>();
        Map<Long, List<CellTablet>> tablets = new HashMap<>();
        for (Table table : view.tables()) {
            List<CellTablet> ofTable = byTable.remove(table.id());
            var one = new OneTable(table, view.tablets(table.id()), drops, resumes);
            tablets.put(table.id(), one.reconcile(ofTable == null ? List.of() : ofTable));
        }
        for (List<CellTablet> orphans : byTable.values()) {
            orphans.forEach(
                    tablet ->
                            drops.add(
                                    new Drop(
                                            tablet,
                                            "belongs to no table: the server ended while a table"
                                                    + " was being created or dropped")));
        }
        return new Reconciliation(drops, resumes, tablets);
    }

    /// Whether the catalog lists other tablets or other places for the table.
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

    /// The tablets of one table. Those that remain hold every key exactly once.
    private record OneTable(
            Table table, List<TabletPlace> places, List<Drop> drops, List<Resume> resumes) {
        List<CellTablet> reconcile(List<CellTablet> found) {
            Map<Long, CellTablet> counting = new HashMap<>();
            // Attached tablets come before detached ones, and newer epochs before older ones.
            found.stream()
                    .sorted(
                            Comparator.comparing(CellTablet::isDetached)
                                    .thenComparing(CellTablet::epoch, Comparator.reverseOrder()))
                    .forEach(tablet -> judge(tablet, counting));
            List<CellTablet> inOrder =
                    counting.values().stream()
                            .sorted(Comparator.comparing(tablet -> tablet.range().from()))
                            .toList();
            checkCover(inOrder);
            return inOrder;
        }

        private void judge(CellTablet tablet, Map<Long, CellTablet> counting) {
            Optional<CellTablet> heir = Optional.ofNullable(counting.get(tablet.tabletId()));
            if (heir.isEmpty() && tablet.isDetached()) {
                heir =
                        counting.values().stream()
                                .filter(other -> other.range().intersects(tablet.range()))
                                .findFirst();
            }
            if (heir.isPresent()) {
                String why =
                        "is in cell %d now: the server ended while the tablet was being moved"
                                .formatted(heir.get().cellId());
                drops.add(new Drop(tablet, why));
                return;
            }
            if (tablet.isDetached()) {
                resumes.add(new Resume(tablet));
            }
            counting.put(tablet.tabletId(), tablet);
        }

        private void checkCover(List<CellTablet> counting) {
            @Nullable Bytes next = Bytes.EMPTY;
            for (CellTablet tablet : counting) {
                if (next == null || !tablet.range().from().equals(next)) {
                    throw corrupt(
                            "table %s: tablet %d of cell %d does not begin where the one before ends%s"
                                    .formatted(
                                            table.path(),
                                            tablet.tabletId(),
                                            tablet.cellId(),
                                            missing(counting)));
                }
                next = tablet.range().to();
            }
            if (next != null) {
                throw corrupt(
                        "table %s: its tablets do not reach to the end of all keys%s"
                                .formatted(table.path(), missing(counting)));
            }
        }

        /// The first tablet that the catalog knows and no cell has, for the message.
        private String missing(List<CellTablet> counting) {
            return places.stream()
                    .filter(
                            place ->
                                    counting.stream()
                                            .noneMatch(each -> each.tabletId() == place.tabletId()))
                    .findFirst()
                    .map(
                            place ->
                                    "; tablet %d is missing: restore the log of cell %d"
                                            .formatted(place.tabletId(), place.cellId()))
                    .orElse("");
        }
    }

    private static CorruptionException corrupt(String what) {
        return new CorruptionException("the catalog", 0, what);
    }
}
