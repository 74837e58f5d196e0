package io.cleave.sim;

import io.cleave.base.StatusException;
import io.cleave.control.TabletDecision;
import io.cleave.control.action.TabletAction;
import io.cleave.schema.ObjectId;
import io.cleave.sim.SimClient.Clock;
import io.cleave.sim.SimClient.SilenceException;
import io.cleave.sim.workload.Bank;
import io.cleave.sim.workload.Copies;
import io.cleave.sim.workload.Expiring;
import io.cleave.sim.workload.Groups;
import io.cleave.sim.workload.Indexed;
import io.cleave.sim.workload.Journal;
import io.cleave.sim.workload.Lists;
import io.cleave.sim.workload.Pairs;
import io.cleave.sim.workload.Registers;
import io.cleave.sim.workload.Replicated;
import io.cleave.sim.workload.Ring;
import io.cleave.sim.workload.States;
import io.cleave.sim.workload.Workload;
import io.cleave.testkit.SeededScheduler.OutsideException;
import io.cleave.testkit.SimEnv;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/// One run from one seed: a server, clients with workloads, a nemesis, and in the end, when all has
/// been made good again, a look at everything.
///
/// First nothing may be wrong while everything goes wrong; then, healed, everything must finish.
final class Simulation {
    private static final int CLIENTS = 6;

    /// The first table of a workload that is part of every run; see `-Dworkload=`.
    private static final String ALWAYS = System.getProperty("workload", "");

    private static final int STEPS = 150;

    /// Splits, merges and moves of one run.
    private static final int CHANGES = 100;

    private static final int DRIVERS = 2;

    /// How often to look whether actions have ended; a tenth of a second lies between.
    private static final int ACTION_WAITS = 1_000;

    /// One run in so many.
    private static final int LEFT_ALONE = 4;

    private static final int QUIET_MILLIS = 400;
    private static final int LONG_QUIET_MILLIS = 4_000;
    private static final long LONG_PAUSE_MILLIS = 20;
    private static final Duration HEALING = Duration.ofSeconds(60);

    private final long seed;
    private final Bug bug;
    private final SimEnv env;
    private final Faults faults;
    private final Totals totals = new Totals();
    private final SimServer server;
    private final Nemesis nemesis;
    private final Clock clock = new Clock();
    private final Random random;
    private final List<Workload> workloads = new ArrayList<>();

    /// Nobody changes tablets but the server itself, and it has the time to see how they are used.
    private final boolean leftAlone;

    /// The longest between two steps of a client: the shorter, the more happens at a time.
    private final Duration pause;

    private int working;

    /// The actions that a driver was told have begun.
    private final List<ObjectId> actions = new ArrayList<>();

    /// What is wrong with the simulated world on purpose, to see that it is noticed.
    enum Bug {
        NONE,
        /// A disk that says it has forced what it has not.
        LYING_DISK,
        /// Serializable transactions are checked only where they write.
        WRITE_SKEW,
        /// Each read of a snapshot sees what is newest.
        MOVING_SNAPSHOT,
        /// The server says that a commit is done before it is.
        EARLY_ANSWER,
        /// A commit of which nobody knows is taken for one that has not happened.
        FORGOTTEN_COMMIT,
        /// Rows are written whatever the state of their tablet is.
        OPEN_GATE
    }

    Simulation(long seed, Bug bug) {
        this.seed = seed;
        this.bug = bug;
        env = new SimEnv(seed);
        env.measureAll();
        faults = new Faults(env, seed * 31 + 1);
        server = new SimServer(env, faults, totals, bug);
        random = new Random(seed * 31 + 2);
        leftAlone = new SplittableRandom(seed).nextInt(LEFT_ALONE) == 0;
        int quiet = leftAlone ? LONG_QUIET_MILLIS : QUIET_MILLIS;
        nemesis = new Nemesis(env, server, faults, totals, quiet);
        pause = Duration.ofMillis(leftAlone ? LONG_PAUSE_MILLIS : 1L << random.nextInt(4));
    }

    /// Runs it all; throws what went wrong, with the seed.
    Totals run() {
        Complaints.tell(env::fail);
        try {
            env.run(this::play);
        } catch (OutsideException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            String story = story(e);
            String start = story.substring(0, Math.min(story.length(), 1_000));
            throw new AssertionError("-Dseed=" + seed + ": " + start, e);
        }
        totals.add("runs", 1);
        totals.add("simulated millis", env.nanoTime() / 1_000_000);
        env.failures().forEach((point, count) -> totals.add("bad luck: " + point, count));
        return totals;
    }

    /// Of two runs with the same one, the second repeated the first.
    long digest() {
        return env.digest();
    }

    private static String story(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    private void play() {
        server.start();
        awaitServer();
        chooseWorkloads();
        var first = newClient();
        workloads.forEach(workload -> workload.setUp(first));
        chooseBalancers(first);
        for (int client = 0; client < CLIENTS; client++) {
            var stream = new Random(random.nextLong());
            working++;
            env.spawn("client", () -> work(stream));
        }
        env.spawn("nemesis", nemesis::run);
        for (int driver = 0; !leftAlone && driver < DRIVERS; driver++) {
            var stream = new Random(random.nextLong());
            working++;
            env.spawn("driver", () -> drive(stream));
        }
        while (working > 0) {
            first.pause(Duration.ofNanos(random.nextInt(20_000_000)));
            server.receive("watch", service -> PartitionMap.check(service.store()));
        }
        heal();
        if (!leftAlone && totals.get("changes") < CHANGES) {
            throw new AssertionError("no more than %d changes".formatted(totals.get("changes")));
        }
        workloads.forEach(workload -> workload.finish(first));
        server.finish();
    }

    /// Two or three kinds, each on tables of its own.
    private void chooseWorkloads() {
        List<Workload> all =
                new ArrayList<>(
                        List.of(
                                new Bank("bank"),
                                new Ring("ring"),
                                new Lists("lists", 2 + random.nextInt(5)),
                                new Registers("registers"),
                                new Pairs("pairs"),
                                new Indexed("indexed"),
                                new Expiring("expiring", random.nextBoolean()),
                                new Copies("copies"),
                                new Replicated("replicated"),
                                new Groups("groups"),
                                new States("states")));
        if (leftAlone) {
            workloads.add(new Journal("journal"));
        } else {
            all.add(new Journal("journal"));
        }
        for (Workload workload : List.copyOf(all)) {
            if (workload.tables().getFirst().equals(ALWAYS)) {
                all.remove(workload);
                workloads.add(workload);
            }
        }
        for (int count = 2 + random.nextInt(2); workloads.size() < count; ) {
            workloads.add(all.remove(random.nextInt(all.size())));
        }
    }

    /// YTsaurus' rules get some of the tables.
    private void chooseBalancers(SimClient client) {
        var period = Duration.ofMillis(20L << random.nextInt(6));
        client.call(
                "configure rounds",
                SimClient.Repeat.HARMLESS,
                service -> {
                    service.balancing().configureRounds(period);
                    return true;
                });
        var chooser =
                new StructureDriver(
                        client, totals, new Random(random.nextLong()), workloads, pause, actions);
        workloads.stream().filter(_ -> random.nextInt(3) == 0).forEach(chooser::chooseBalancer);
    }

    private void work(Random stream) {
        SimClient client = newClient();
        for (int step = 0; step < (leftAlone ? 2 * STEPS : STEPS); step++) {
            workloads.get(stream.nextInt(workloads.size())).step(client, stream);
            client.pause(Duration.ofNanos(stream.nextLong(pause.toNanos())));
        }
        working--;
    }

    private void drive(Random stream) {
        Duration twice = pause.multipliedBy(2);
        var driver = new StructureDriver(newClient(), totals, stream, workloads, twice, actions);
        for (int count = 0; count < 2000 && totals.get("changes") < CHANGES; count++) {
            driver.step();
        }
        working--;
    }

    private void heal() {
        nemesis.stop();
        awaitServer();
        // What was about to happen to the server still may.
        newClient().pause(Duration.ofSeconds(6));
        awaitServer();
        server.calmDown();
        List<TabletDecision> before = decisions();
        for (TabletDecision decision : before) {
            totals.count("by itself: " + decision.rule() + " " + decision.state());
        }
        Optional<List<TabletDecision>> saved =
                newClient()
                        .call(
                                "saved decisions",
                                SimClient.Repeat.HARMLESS,
                                Service::savedDecisions);
        server.end(SimServer.End.POWER);
        awaitServer();
        if (saved.isPresent()) {
            checkDecisions(saved.get(), decisions());
        }
        checkActions();
    }

    /// Each action that has begun ends, and nobody forgets it.
    private void checkActions() {
        SimClient client = newClient();
        List<TabletAction> found = actions(client);
        for (int wait = 0; found.stream().anyMatch(action -> !action.isFinished()); wait++) {
            if (wait == ACTION_WAITS) {
                throw new AssertionError("actions do not end: " + found);
            }
            client.pause(Duration.ofMillis(100));
            found = actions(client);
        }
        for (TabletAction action : found) {
            String why = action.error().replaceAll("\\d+", "N");
            totals.count("action " + action.kind() + " " + action.state() + " " + why);
        }
        Set<ObjectId> known = new HashSet<>();
        found.forEach(action -> known.add(action.id()));
        if (!known.containsAll(actions)) {
            throw new AssertionError("of %s there are only %s".formatted(actions, known));
        }
    }

    private static List<TabletAction> actions(SimClient client) {
        return client.call("actions", SimClient.Repeat.HARMLESS, Service::actions);
    }

    private List<TabletDecision> decisions() {
        return newClient().call("decisions", SimClient.Repeat.HARMLESS, Service::decisions);
    }

    /// Whatever the server has begun by itself it can still explain, but for what is older than the
    /// last thousand.
    private static void checkDecisions(List<TabletDecision> before, List<TabletDecision> after) {
        Map<Long, String> known = new HashMap<>();
        after.forEach(decision -> known.put(decision.number(), decision.text()));
        for (TabletDecision decision : before) {
            boolean isBegun =
                    switch (decision.state()) {
                        case RUNNING, DONE, FAILED, UNKNOWN -> true;
                        case NOTED, PLANNED -> false;
                    };
            if (isBegun
                    && decision.number() >= after.getFirst().number()
                    && !decision.text().equals(known.get(decision.number()))) {
                throw new AssertionError(
                        "after a restart nobody knows of %s; of %d there is: %s, of %d to %d"
                                .formatted(
                                        decision,
                                        decision.number(),
                                        known.get(decision.number()),
                                        after.getFirst().number(),
                                        after.getLast().number()));
            }
        }
    }

    private void awaitServer() {
        SimClient client = newClient();
        long deadline = env.nanoTime() + HEALING.toNanos();
        while (!answers(client)) {
            if (env.nanoTime() > deadline) {
                throw new AssertionError(
                        "the server does not come back; its threads:\n" + server.stacks());
            }
            client.pause(Duration.ofMillis(50));
        }
    }

    private static boolean answers(SimClient client) {
        try {
            return client.call("ping", SimClient.Repeat.HARMLESS, _ -> true);
        } catch (SilenceException | StatusException _) {
            return false;
        }
    }

    private SimClient newClient() {
        return new SimClient(env, server, faults, totals, clock, bug);
    }
}
