package io.cleave.sim;

import io.cleave.base.CorruptionException;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.blob.BlobStore;
import io.cleave.blob.LocalBlobs;
import io.cleave.log.LocalLog;
import io.cleave.log.Log;
import io.cleave.log.LogException;
import io.cleave.log.LogOptions;
import io.cleave.node.Store;
import io.cleave.sim.Simulation.Bug;
import io.cleave.tablet.CellOptions;
import io.cleave.tablet.twophase.CellLinks;
import io.cleave.testkit.FaultyLinks;
import io.cleave.testkit.FaultyLinks.Fault;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimProcess;
import io.cleave.testkit.SimulatedDisk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A server that can end at any moment, and then starts again on what its disk has kept.
///
/// Threads: those of the world call it; the server's own are in a process that is a new one after
/// each start.
final class SimServer {
    static final String DATABASE = "/local";

    /// So small that memtables are flushed, files compacted and logs cut all the time.
    private static final CellOptions TINY =
            new CellOptions(2 << 10, 16 << 10, 4 << 10, 64 << 10, 1_000, 2_000);

    private static final LogOptions SMALL_LOG = new LogOptions(4 << 10, 64 << 10);
    private static final Path ROOT = Path.of("/data");
    private static final long CACHE_BYTES = 1 << 20;
    private static final int MOST_CELLS = 4;

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
    private final int userCells;

    private SimulatedDisk disk;
    private SimProcess process;

    /// Null while it is not up.
    private @Nullable Service service;

    /// A log has failed, and the process goes on all the same.
    private boolean crippled;

    /// It ends no more by itself.
    private boolean calm;

    /// Nobody starts it again: the world comes to an end.
    private boolean finished;

    SimServer(SimEnv env, Faults faults, Totals totals, Bug bug) {
        this.env = env;
        this.faults = faults;
        this.totals = totals;
        this.bug = bug;
        random = faults.random();
        userCells = 1 + random.nextInt(MOST_CELLS);
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
            Service opened = open(started);
            PartitionMap.checkAtStart(opened.store());
            service = opened;
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
        var backend =
                new DiskBackend(
                        disk, started, _ -> logFailed(started), faults, new AtomicBoolean());
        var store =
                new Store(
                        started,
                        backend,
                        new Store.Options(DATABASE, userCells, TINY, CACHE_BYTES));
        backend.isOpen.set(true);
        return new Service(started, store, bug);
    }

    /// A store on a simulated disk.
    ///
    /// @param isOpen whether calls between cells may be lost
    private record DiskBackend(
            SimulatedDisk disk,
            Env env,
            Consumer<Throwable> fatal,
            Faults faults,
            AtomicBoolean isOpen)
            implements Store.Backend {
        @Override
        public CellLinks links(CellLinks direct) {
            return new FaultyLinks(
                    direct, (_, _) -> isOpen.get() ? faults.linkFault() : Fault.NONE);
        }

        @Override
        public void removeLog(long cellId) {
            try {
                LocalLog.remove(disk, ROOT.resolve("log-" + cellId));
            } catch (IOException e) {
                throw new StatusException(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public Log openLog(long cellId) {
            return new LocalLog(disk, ROOT.resolve("log-" + cellId), env, SMALL_LOG, fatal);
        }

        @Override
        public BlobStore systemBlobs() {
            return new LocalBlobs(disk, Map.of("", ROOT.resolve("system")));
        }

        @Override
        public BlobStore userBlobs() {
            return new LocalBlobs(disk, Map.of("", ROOT.resolve("blobs")));
        }
    }

    /// A process of its own ends; one inside another program takes no more writes, until someone
    /// starts it again.
    private void logFailed(SimProcess of) {
        totals.count("logs failed");
        if (random.nextBoolean()) {
            end(End.KILL);
            of.exit();
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
                    if (!of.isDead() && !calm) {
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
        if (!calm && random.nextInt(5) == 0) {
            endAfter(random.nextInt(600), random.nextBoolean() ? End.POWER : End.KILL);
        }
    }

    /// From now on it ends only when it is told to.
    void calmDown() {
        calm = true;
    }

    void finish() {
        finished = true;
        process.kill();
    }

    /// Where its threads are.
    String stacks() {
        return process.stacks();
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
