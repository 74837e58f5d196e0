package io.cleave.balance.ydb;

import io.cleave.balance.BalanceSettings;
import io.cleave.balance.CellMembership;
import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision.Move;
import io.cleave.balance.Figure;
import io.cleave.balance.Rule;
import io.cleave.balance.TableState;
import io.cleave.balance.TabletState;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Decides which tablets are moved to other cells of their bundle. A table is spread only as far as
/// its load and size require, because a transaction over two cells costs more than one in a single
/// cell.
///
/// The *weight* of a tablet is its CPU time in units of `cellCores` plus its size in units of
/// `cellBytes`. The weight of a cell is the sum over its tablets. Only a cell of weight 1 or more
/// gives tablets away, and only to a cell that is lighter by a share of its weight, usually
/// [Thresholds#MOVE_IMBALANCE]. The tablet that is moved is the one that makes the two cells most
/// even.
///
/// A tablet weighs at most [Thresholds#MOVE_MOST] of the difference between the cells, so each move
/// lowers the sum of the squares of the weights. Under a constant load the moves come to an end.
///
/// A cell takes part in one move at a time. It takes part in none while the load of one of its
/// tablets is not known yet, because the tablet was just moved, split or merged. Tables of one
/// tablet are not moved, and do not count for this.
final class MoveRules {
    private final BalanceSettings settings;
    private final double imbalance;

    /// By cell id, for every running cell.
    private final Map<Long, CellLoad> loads = new LinkedHashMap<>();

    /// By node id.
    private final Map<Integer, Double> nodeWeights = new HashMap<>();

    /// Tables whose tablets may be moved.
    private final List<TableState> tables = new ArrayList<>();

    /// What the tablets of a cell have together.
    private static final class CellLoad {
        final CellMembership cell;
        double cores;
        long bytes;
        double weight;
        int tablets;

        /// Whether all loads are known, and no move was chosen for the cell.
        boolean isFree = true;

        CellLoad(CellMembership cell) {
            this.cell = cell;
        }

        long cellId() {
            return cell.cellId();
        }

        double weight() {
            return weight;
        }
    }

    MoveRules(ClusterState state, BalanceSettings settings, double imbalance) {
        this.settings = settings;
        this.imbalance = imbalance;
        state.running().forEach(cell -> loads.put(cell.cellId(), new CellLoad(cell)));
        for (TableState table : state.tables()) {
            for (TabletState tablet : table.tablets()) {
                CellLoad load = loads.get(tablet.cellId());
                if (load != null) {
                    load.cores += tablet.cores();
                    load.bytes += tablet.bytes();
                    load.weight += weight(tablet);
                    load.tablets++;
                    load.isFree &= !isGrown(table) || isKnown(tablet);
                }
            }
        }
        loads.values()
                .forEach(load -> nodeWeights.merge(load.cell.nodeId(), load.weight, Double::sum));
    }

    private static boolean isGrown(TableState table) {
        return table.tablets().size() > 1;
    }

    private boolean isKnown(TabletState tablet) {
        return tablet.ageMillis() >= settings.loadWindow().toMillis();
    }

    private double weight(TabletState tablet) {
        return tablet.cores() / settings.cellCores()
                + tablet.bytes() / (double) settings.cellBytes();
    }

    /// Lets tablets of a table be moved.
    void ask(TableState table) {
        if (isGrown(table)) {
            tables.add(table);
        }
    }

    /// At most one move for each table and for each cell, from the heaviest cells first.
    Map<Long, Move> choose() {
        Map<Long, Move> moves = new LinkedHashMap<>();
        List<CellLoad> sources =
                loads.values().stream()
                        .filter(load -> load.weight >= 1)
                        .sorted(
                                Comparator.comparingDouble(CellLoad::weight)
                                        .reversed()
                                        .thenComparingLong(CellLoad::cellId))
                        .toList();
        Map<String, Double> means = means();
        // Bundles with a move.
        Set<String> giving = new HashSet<>();
        for (CellLoad source : sources) {
            String bundle = source.cell.bundle();
            boolean isAboveMean = source.weight > means.getOrDefault(bundle, 0.0);
            if (!isAboveMean && giving.contains(bundle)) {
                // Heavier cells would have to give again what it gives away now.
                continue;
            }
            Optional<CellLoad> target = source.isFree ? lightest(source) : Optional.empty();
            if (target.isPresent()) {
                best(source, target.get(), moves)
                        .ifPresent(
                                found -> {
                                    source.isFree = false;
                                    target.get().isFree = false;
                                    giving.add(bundle);
                                    moves.put(found.tableId, move(found, source, target.get()));
                                });
            }
        }
        return moves;
    }

    /// The mean weight of the cells of each bundle.
    private Map<String, Double> means() {
        Map<String, Double> sums = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (CellLoad load : loads.values()) {
            sums.merge(load.cell.bundle(), load.weight, Double::sum);
            counts.merge(load.cell.bundle(), 1, Integer::sum);
        }
        sums.replaceAll((bundle, sum) -> sum / Objects.requireNonNull(counts.get(bundle)));
        return sums;
    }

    /// The lightest other cell of the bundle that is free. Among cells of equal weight, one whose
    /// node has less to do.
    private Optional<CellLoad> lightest(CellLoad source) {
        return loads.values().stream()
                .filter(load -> load.isFree && load != source)
                .filter(load -> load.cell.bundle().equals(source.cell.bundle()))
                .min(
                        Comparator.comparingDouble(CellLoad::weight)
                                .thenComparingDouble(
                                        load -> nodeWeights.getOrDefault(load.cell.nodeId(), 0.0))
                                .thenComparingLong(CellLoad::cellId));
    }

    /// @param difference between the two cells after the move
    private record Candidate(long tableId, long tabletId, double difference) {}

    private Optional<Candidate> best(CellLoad source, CellLoad target, Map<Long, Move> moves) {
        double gap = source.weight - target.weight;
        if (gap < imbalance * source.weight) {
            return Optional.empty();
        }
        // A tablet that is far lighter than the others of the cell is not worth a move.
        double least = source.weight / source.tablets / 2;
        List<Candidate> candidates = new ArrayList<>();
        for (TableState table : tables) {
            long tableId = table.table().id();
            if (table.bundle().equals(source.cell.bundle()) && !moves.containsKey(tableId)) {
                for (TabletState tablet : table.tablets()) {
                    double weight = weight(tablet);
                    if (tablet.cellId() == source.cellId()
                            && weight >= least
                            && weight <= Thresholds.MOVE_MOST * gap) {
                        double difference = Math.abs(gap - 2 * weight);
                        candidates.add(new Candidate(tableId, tablet.tabletId(), difference));
                    }
                }
            }
        }
        return candidates.stream()
                .min(
                        Comparator.comparingDouble(Candidate::difference)
                                .thenComparingLong(Candidate::tabletId));
    }

    private Move move(Candidate found, CellLoad source, CellLoad target) {
        double byLoad = source.cores / settings.cellCores();
        double bySize = source.bytes / (double) settings.cellBytes();
        List<Figure> figures =
                List.of(
                        Figure.cores(
                                "CPU time of cell " + source.cellId(),
                                source.cores,
                                settings.cellCores()),
                        Figure.bytes("its size", source.bytes, settings.cellBytes()),
                        Figure.share(
                                "weight of cell %d relative to it".formatted(target.cellId()),
                                target.weight / source.weight,
                                1 - imbalance));
        return new Move(
                found.tabletId,
                source.cellId(),
                target.cellId(),
                byLoad >= bySize ? Rule.MOVE_BY_LOAD : Rule.MOVE_BY_SIZE,
                figures);
    }
}
