package io.cleave.sim;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.StatusException;
import io.cleave.blob.LocalBlobs;
import io.cleave.catalog.Catalog;
import io.cleave.cluster.LocalCluster;
import io.cleave.log.LocalLog;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.lsm.TableFiles;
import io.cleave.sim.Simulation.Bug;
import io.cleave.tablet.Background;
import io.cleave.tablet.Cell;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.Timeline;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimProcess;
import io.cleave.testkit.SimulatedDisk;
import io.cleave.txn.OptimisticTransactions;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/// A server that can end at any moment, and then starts again on what its disk has kept.
///
/// Threads: those of the world call it; the server's own are in a process that is a new one after
/// each start.
final class SimServer {
    static final String DATABASE = "/local";

    /// So small that memtables are flushed, files compacted and logs cut all the time.
    private static final CellOptions TINY =
            new CellOptions(2 << 10, 16 << 10, 4 << 10, 64 << 10, 1_000);

    private static final LogOptions SMALL_LOG = new LogOptions(4 << 10, 64 << 10);
    private static final Path ROOT = Path.of("/data");
    private static final long CACHE_BYTES = 1 << 20;

    /// How a server ends.
    enum End {
        /// The machine loses what was not forced.
        POWER,
        /// The machine goes on, with what it was told to write.
        KILL
    }

    private final SimEnv env;
    private final Faults faults;
    private final Totals totals;
    private final Bug bug;
    private final Random random;

    private SimulatedDisk disk;
    private SimProcess process;

    /// Null while it is not up.
    private @Nullable Service service;

    /// A log has failed, and the process goes on all the same.
    private boolean crippled;

    /// Nobody starts it again: the world comes to an end.
    private boolean finished;

    SimServer(SimEnv env, Faults faults, Totals totals, Bug bug) {
        this.env = env;
        this.faults = faults;
        this.totals = totals;
        this.bug = bug;
        random = faults.random();
        process = env.newProcess();
        disk = connected(new SimulatedDisk());
    }

    private SimulatedDisk connected(SimulatedDisk found) {
        found.setWeather(faults);
        if (bug == Bug.LYING_DISK) {
            found.lie();
        }
        return found;
    }

    /// Starts it, in a process of its own; it is up some time later.
    void start() {
        SimProcess started = env.newProcess();
        process = started;
        crippled = false;
        started.spawn("boot", () -> boot(started));
    }

    private void boot(SimProcess started) {
        try {
            service = open(started);
            totals.count("starts");
        } catch (UncheckedIOException | LogException | StatusException e) {
            // The disk failed, or a log did: as if the process had been killed.
            end(End.KILL);
            started.exit();
        } catch (CorruptionException e) {
            throw new AssertionError("the server does not start on its own data", e);
        }
    }

    private Service open(SimProcess started) {
        var timeline = new Timeline(started);
        var background = new Background(started, TINY);
        Consumer<Throwable> fatal = _ -> logFailed(started);
        Cell system = cell(0, started, timeline, background, fatal);
        Cell user = cell(1, started, timeline, background, fatal);
        var cluster = new LocalCluster(DATABASE, new Catalog(system), user, started);
        var transactions = new OptimisticTransactions(cluster);
        return new Service(started, cluster, transactions, new CellStructure(cluster, user), bug);
    }

    private Cell cell(
            long id,
            Env started,
            Timeline timeline,
            Background background,
            Consumer<Throwable> fatal) {
        Path folder = ROOT.resolve("cells").resolve(Long.toString(id));
        var log = new LocalLog(disk, folder.resolve("log"), started, SMALL_LOG, fatal);
        var files = new TableFiles(new LocalBlobs(disk, Map.of("", folder.resolve("blobs"))), CACHE_BYTES);
        return new Cell(id, log, files, timeline, TINY, background, started);
    }

    /// A process of its own ends; one inside another program takes no more writes, until someone
    /// starts it again.
    private void logFailed(SimProcess of) {
        totals.count("logs failed");
        if (random.nextBoolean()) {
            end(End.KILL);
            if (of.isDead()) of.exit();
        } else if (!crippled) {
            crippled = true;
            env.spawn("operator", () -> restartLater(of));
        }
    }

    private void restartLater(SimProcess of) {
        sleep(Duration.ofMillis(200 + random.nextInt(800)));
        if (!of.isDead()) {
            end(End.KILL);
        }
    }

    /// Ends it when its threads have been run so many more times.
    void endAfter(long steps, End how) {
        SimProcess of = process;
        of.afterSteps(
                steps,
                () -> {
                    if (!of.isDead()) {
                        end(how);
                    }
                });
    }

    /// Ends it now and starts it again after a while.
    void end(End how) {
        totals.count(how == End.POWER ? "crashes" : "kills");
        service = null;
        process.kill();
        if (how == End.POWER) {
            disk = connected(disk.crash(random));
        }
        if (!finished) {
            env.spawn("supervisor", this::startLater);
        }
    }

    private void startLater() {
        sleep(Duration.ofMillis(1 + random.nextInt(300)));
        start();
        if (random.nextInt(5) == 0) {
            endAfter(random.nextInt(600), random.nextBoolean() ? End.POWER : End.KILL);
        }
    }

    void finish() {
        finished = true;
        process.kill();
    }

    boolean isUp() {
        return service != null;
    }

    /// Takes a request, if it is up; whoever sent it is told nothing if it then ends.
    boolean receive(String name, Consumer<Service> request) {
        Service up = service;
        if (up == null) {
            return false;
        }
        process.spawn(name, () -> request.accept(up));
        return true;
    }

    private void sleep(Duration duration) {
        try {
            env.sleep(duration);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
