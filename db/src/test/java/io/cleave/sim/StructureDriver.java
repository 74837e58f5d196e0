package io.cleave.sim;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.schema.Balancer;
import io.cleave.schema.Index;
import io.cleave.schema.KeyRange;
import io.cleave.schema.ObjectId;
import io.cleave.sim.Service.Piece;
import io.cleave.sim.SimClient.Repeat;
import io.cleave.sim.SimClient.SilenceException;
import io.cleave.sim.workload.Workload;
import io.cleave.testkit.StoreParts;
import io.cleave.value.KeyCodec;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Cuts, merges and moves the tablets of workloads at random, one thing after the other, as an
/// operator or a balancer does. Creates and removes cells.
final class StructureDriver {
    /// From this many on a table is rather merged than cut.
    private static final int MANY = 7;

    /// A table whose clients change the states of its tablets, which are stored with its settings.
    private static final String STATES = "states";

    private static final int MOST_CELLS = 6;

    private final SimClient client;
    private final Totals totals;
    private final Random random;
    private final List<Workload> workloads;
    private final Duration longestPause;

    /// Those that have begun.
    private final List<ObjectId> actions;

    StructureDriver(
            SimClient client,
            Totals totals,
            Random random,
            List<Workload> workloads,
            Duration longestPause,
            List<ObjectId> actions) {
        this.client = client;
        this.totals = totals;
        this.random = random;
        this.workloads = workloads;
        this.longestPause = longestPause;
        this.actions = actions;
    }

    /// Does one thing, or tries to.
    void step() {
        Workload workload = workloads.get(random.nextInt(workloads.size()));
        List<String> tables = workload.tables();
        if (random.nextInt(25) == 0) {
            chooseBalancer(workload);
        }
        String path = SimClient.path(tables.get(random.nextInt(tables.size())));
        try {
            List<Piece> tablets =
                    client.call("look", Repeat.HARMLESS, service -> service.tablets(path));
            change(path, tablets, workload.keyBound());
        } catch (SilenceException _) {
            totals.count("changes unanswered");
        } catch (StatusException e) {
            totals.count("changes " + e.status());
        }
        client.pause(Duration.ofNanos(random.nextLong(longestPause.toNanos())));
    }

    /// Lets YTsaurus' rules have a table, or takes it from them. Its index tables follow it.
    void chooseBalancer(Workload workload) {
        String table = workload.tables().getFirst();
        if (table.equals(STATES)) {
            return;
        }
        String path = SimClient.path(table);
        Balancer balancer = random.nextInt(3) == 0 ? Balancer.YDB : Balancer.YT;
        int tablets = 1 + random.nextInt(MANY);
        try {
            client.call(
                    "choose a balancer",
                    Repeat.NEVER,
                    service -> {
                        service.balancing().chooseBalancer(path, balancer, tablets);
                        return true;
                    });
            totals.count("balancer " + balancer.text());
        } catch (SilenceException _) {
            totals.count("balancers unanswered");
        } catch (StatusException e) {
            totals.count("balancers " + e.status());
        }
    }

    private void change(String path, List<Piece> tablets, long keyBound) {
        int choice = random.nextInt(MANY);
        if (random.nextInt(20) == 0) {
            changeCells();
        } else if (random.nextInt(4) == 0) {
            act(path, tablets, keyBound);
        } else if (random.nextInt(30) == 0) {
            ask("compactions", parts -> parts.tablets().compact(path));
        } else if (random.nextInt(3) == 0) {
            move(path, tablets.get(random.nextInt(tablets.size())));
        } else if (choice >= tablets.size() || tablets.size() == 1) {
            split(path, tablets.get(random.nextInt(tablets.size())), keyBound);
        } else {
            merge(path, tablets);
        }
    }

    /// Begins an action, which goes on by itself.
    private void act(String path, List<Piece> tablets, long keyBound) {
        int first = random.nextInt(tablets.size());
        int count = 1 + random.nextInt(Math.min(3, tablets.size() - first));
        List<Piece> chosen = tablets.subList(first, first + count);
        List<Long> tabletIds = chosen.stream().map(Piece::tabletId).toList();
        List<Long> cells = client.call("cells", Repeat.HARMLESS, Service::cells);
        boolean isMove = random.nextInt(3) == 0;
        List<Bytes> keys = isMove ? List.of() : firstKeys(path, chosen, keyBound);
        List<Long> cellIds = new ArrayList<>();
        if (random.nextInt(3) > 0) {
            for (int cell = isMove ? count : keys.size(); cell > 0; cell--) {
                cellIds.add(cells.get(random.nextInt(cells.size())));
            }
        }
        ObjectId begun =
                client.call(
                        "action",
                        Repeat.NEVER,
                        service ->
                                service.act(
                                        path,
                                        isMove ? Kind.MOVE : Kind.RESHARD,
                                        tabletIds,
                                        cellIds,
                                        keys));
        actions.add(begun);
        totals.count("actions");
        totals.count("changes");
    }

    /// The first of the tablets' keys and some others.
    private List<Bytes> firstKeys(String path, List<Piece> tablets, long keyBound) {
        var range = new KeyRange(tablets.getFirst().range().from(), tablets.getLast().range().to());
        var keys = new TreeSet<Bytes>();
        keys.add(range.from());
        for (int count = random.nextInt(5); count > 0; count--) {
            Bytes key = anyKey(path, keyBound);
            if (range.contains(key)) {
                keys.add(key);
            }
        }
        return List.copyOf(keys);
    }

    /// Creates a cell, or removes one. The server's balancer empties it.
    private void changeCells() {
        List<Long> running = client.call("cells", Repeat.HARMLESS, Service::runningCells);
        if (running.size() < 2 || running.size() < MOST_CELLS && random.nextBoolean()) {
            ask("cells created", parts -> parts.tablets().cellLifecycle().create("default"));
        } else {
            long cellId = running.get(random.nextInt(running.size()));
            ask("cells removed", parts -> parts.tablets().cellLifecycle().remove(cellId));
        }
    }

    private void split(String path, Piece tablet, long keyBound) {
        KeyRange range = tablet.range();
        var keys = new TreeSet<Bytes>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            Bytes key = anyKey(path, keyBound);
            if (range.contains(key) && !key.equals(range.from())) {
                keys.add(key);
            }
        }
        if (!keys.isEmpty()) {
            run("splits", parts -> parts.resharding().split(path, keys));
        }
    }

    /// One that a row may have, or one between two rows.
    private Bytes anyKey(String path, long keyBound) {
        long number = random.nextLong(keyBound);
        Bytes key =
                path.endsWith(Index.TABLE_NAME)
                        ? KeyCodec.encode(
                                List.of(Primitive.UTF8), Value.text(Long.toString(number)))
                        : Service.key(number);
        return random.nextInt(3) == 0 ? key.successor() : key;
    }

    private void merge(String path, List<Piece> tablets) {
        int count = 2 + random.nextInt(Math.min(3, tablets.size() - 1));
        int first = random.nextInt(tablets.size() - count + 1);
        List<Long> tabletIds =
                tablets.subList(first, first + count).stream().map(Piece::tabletId).toList();
        run("merges", parts -> parts.resharding().merge(path, tabletIds));
    }

    private void move(String path, Piece tablet) {
        List<Long> others = new ArrayList<>(client.call("cells", Repeat.HARMLESS, Service::cells));
        others.remove((Long) tablet.cellId());
        if (!others.isEmpty()) {
            long cellId = others.get(random.nextInt(others.size()));
            run("moves", parts -> parts.resharding().move(path, tablet.tabletId(), cellId));
        }
    }

    private void run(String what, Consumer<StoreParts> change) {
        ask(what, change);
        totals.count("changes");
    }

    private void ask(String what, Consumer<StoreParts> change) {
        client.call(
                what,
                Repeat.NEVER,
                service -> {
                    service.change(change);
                    return true;
                });
        totals.count(what);
    }
}
