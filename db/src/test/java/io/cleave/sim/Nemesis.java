package io.cleave.sim;

import io.cleave.sim.SimServer.End;
import io.cleave.testkit.SimEnv;

import java.time.Duration;
import java.util.Random;

/// Brings about one misfortune after the other, each for a while.
final class Nemesis {
    private static final int CRASH_STEPS = 600;

    private final SimEnv env;
    private final SimServer server;
    private final Faults faults;
    private final Totals totals;
    private final Random random;

    /// How long the quiet between two misfortunes is, at most.
    private final int quietMillis;

    private boolean stopped;

    private enum Misfortune {
        POWER_CUT,
        KILL,
        BAD_DISK,
        SLOW_DISK,
        LOSSY_NETWORK,
        SPLIT_NETWORK,
        LATE_MESSAGES,
        CLOCK_JUMP,
        BAD_LUCK
    }

    Nemesis(SimEnv env, SimServer server, Faults faults, Totals totals, int quietMillis) {
        this.env = env;
        this.server = server;
        this.faults = faults;
        this.totals = totals;
        this.quietMillis = quietMillis;
        random = faults.random();
    }

    void run() {
        Misfortune[] all = Misfortune.values();
        while (!stopped) {
            sleepMillis(1 + random.nextInt(quietMillis));
            if (!stopped) {
                bringAbout(all[random.nextInt(all.length)]);
            }
        }
    }

    void stop() {
        stopped = true;
        faults.heal();
    }

    private void bringAbout(Misfortune misfortune) {
        totals.count("misfortunes");
        switch (misfortune) {
            case POWER_CUT -> endServer(End.POWER);
            case KILL -> endServer(End.KILL);
            case BAD_DISK -> {
                faults.setDiskFails(0.02);
                sleepMillis(random.nextInt(100));
                faults.setDiskFails(0);
            }
            case SLOW_DISK -> {
                faults.setSlowness(1 + random.nextInt(100));
                sleepMillis(random.nextInt(500));
                faults.setSlowness(1);
            }
            case LOSSY_NETWORK -> messages(0.1, 0.1, 1);
            case SPLIT_NETWORK -> messages(1, 0, 1);
            case LATE_MESSAGES -> messages(0, 0.2, 1 + random.nextInt(1000));
            case CLOCK_JUMP -> jump();
            case BAD_LUCK -> {
                faults.setLuck(random.nextDouble() * 0.3);
                sleepMillis(random.nextInt(500));
                faults.setLuck(0);
            }
        }
    }

    private void endServer(End how) {
        if (server.isUp()) {
            server.endAfter(random.nextInt(CRASH_STEPS), how);
        }
    }

    private void messages(double lost, double twice, int later) {
        faults.setMessages(lost, twice, later);
        sleepMillis(random.nextInt(500));
        faults.setMessages(0, 0, 1);
    }

    private void jump() {
        totals.count("clock jumps");
        Duration by = Duration.ofMillis(1 + random.nextInt(3_600_000));
        env.jumpWall(random.nextBoolean() ? by : by.negated());
    }

    private void sleepMillis(int millis) {
        try {
            env.sleep(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
