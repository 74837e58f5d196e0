package io.cleave.sim;

import io.cleave.testkit.FaultyLinks;
import io.cleave.testkit.SimEnv;
import io.cleave.testkit.SimulatedDisk.Point;
import io.cleave.testkit.SimulatedDisk.Weather;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/// How bad things are at present: the disk, the network, and luck at named points. Changed by the
/// [Nemesis]; asked by all that can go wrong.
final class Faults implements Weather {
    private static final long APPEND_NANOS = 20_000;

    /// Of a sync: what it takes differs from run to run, for much can only happen during one.
    private static final long LEAST_FORCE_NANOS = 100_000;

    private static final int MOST_FORCE = 40;
    private static final long MESSAGE_NANOS = 100_000;

    /// About as long as a prepared transaction is left to the one who prepared it, five seconds:
    /// who ends it is then a close race.
    private static final int LONG_CALL_MILLIS = 4_500;

    private static final int LONG_CALL_SPREAD_MILLIS = 2_000;

    /// One in so many calls between cells takes so long while messages are late.
    private static final int LONG_CALLS = 40;

    private final SimEnv env;
    private final Random random;
    private final long forceNanos;

    private double diskFails;
    private double messageLost;
    private double messageTwice;
    private int slowness = 1;
    private int lateness = 1;

    Faults(SimEnv env, long seed) {
        this.env = env;
        random = new Random(seed);
        forceNanos = LEAST_FORCE_NANOS * (1 + random.nextInt(1 + random.nextInt(MOST_FORCE)));
    }

    Random random() {
        return random;
    }

    /// Each write or sync fails with this probability.
    void setDiskFails(double chance) {
        diskFails = chance;
    }

    /// So many times slower than usual.
    void setSlowness(int factor) {
        slowness = factor;
    }

    void setMessages(double lost, double twice, int later) {
        messageLost = lost;
        messageTwice = twice;
        lateness = later;
    }

    void setLuck(double chance) {
        env.setFailChance(chance);
    }

    /// All is well from now on.
    void heal() {
        setDiskFails(0);
        setSlowness(1);
        setMessages(0, 0, 1);
        setLuck(0);
    }

    boolean losesMessage() {
        return random.nextDouble() < messageLost;
    }

    boolean repeatsMessage() {
        return random.nextDouble() < messageTwice;
    }

    /// How long a message is on its way: most not long, some so long that others overtake them.
    Duration messageDelay() {
        long nanos = MESSAGE_NANOS / 2 + random.nextLong(MESSAGE_NANOS);
        boolean late = lateness > 1 && random.nextInt(3) == 0;
        return Duration.ofNanos(late ? nanos * (1 + random.nextInt(lateness)) : nanos);
    }

    /// What becomes of a call from one cell to another, when it has been on its way.
    FaultyLinks.Fault linkFault() {
        if (lateness > 1) {
            sleep(random.nextInt(LONG_CALLS) == 0 ? longCall() : messageDelay());
        }
        if (losesMessage()) {
            return random.nextBoolean() ? FaultyLinks.Fault.LOST : FaultyLinks.Fault.ANSWER_LOST;
        }
        return repeatsMessage() ? FaultyLinks.Fault.TWICE : FaultyLinks.Fault.NONE;
    }

    private Duration longCall() {
        return Duration.ofMillis(LONG_CALL_MILLIS + random.nextInt(LONG_CALL_SPREAD_MILLIS));
    }

    @Override
    public void await(Point point, Path file) throws IOException {
        long usual =
                switch (point) {
                    case CREATE, APPEND, TRUNCATE, RENAME, DELETE -> APPEND_NANOS;
                    case FORCE, FORCE_FOLDER -> forceNanos;
                };
        long nanos = usual / 2 + random.nextLong(usual);
        sleep(Duration.ofNanos(nanos * (1 + random.nextInt(slowness))));
        if (random.nextDouble() < diskFails) {
            throw new IOException("Input/output error");
        }
    }

    private void sleep(Duration duration) {
        try {
            env.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
