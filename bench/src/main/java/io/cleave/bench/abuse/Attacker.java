package io.cleave.bench.abuse;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The main program of a process that runs one attack and prints how its requests ended; see
/// [Endings].
final class Attacker {
    /// The process ends this long after the attack's time, whatever it waits for.
    private static final int GRACE_SECONDS = 10;

    private Attacker() {}

    /// The arguments are those of [AttackerProcess].
    public static void main(String[] args) throws InterruptedException {
        Map<String, Attack> attacks = Attack.all();
        Attack attack = attacks.get(args[0]);
        if (attack == null) {
            throw new IllegalArgumentException("no attack " + args[0] + ": " + attacks.keySet());
        }
        int seconds = Integer.parseInt(args[1]);
        var target =
                new Target(
                        Integer.parseInt(args[2]),
                        Integer.parseInt(args[3]),
                        Integer.parseInt(args[4]),
                        args[5]);
        Thread.ofPlatform().daemon().start(() -> endAfter(seconds + GRACE_SECONDS));
        var endings = new Endings();
        try {
            attack.run(target, endings, Deadline.after(Duration.ofSeconds(seconds)));
        } catch (Ask.RefusedException e) {
            endings.add(e.ending());
        } catch (IOException e) {
            endings.add(Ending.closed(String.valueOf(e.getMessage())));
        }
        System.out.print(endings.lines());
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void endAfter(int seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }
}
