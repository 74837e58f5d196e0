package io.cleave.bench.abuse;

import java.io.IOException;
import java.time.Duration;

/// The results of an attack: for the attackers, for the good client, and for `/healthz`.
record Observed(Endings endings, GoodTally.Report good, HealthProbe.Report health, double seconds) {
    /// The minimum time of observation. A short attack may have an effect after it has ended.
    private static final Duration LEAST_TIME = Duration.ofSeconds(3);

    static Observed attack(
            String name, int seconds, Target target, GoodClient client, HealthProbe probe)
            throws IOException, InterruptedException {
        var _ = client.takeReport();
        var _ = probe.takeReport();
        long from = System.nanoTime();
        Deadline least = Deadline.after(LEAST_TIME);
        Endings endings = AttackerProcess.run(name, seconds, target);
        double took = (System.nanoTime() - from) / 1e9;
        least.await();
        return new Observed(endings, client.takeReport(), probe.takeReport(), took);
    }

    /// Observes the server without an attack.
    static Observed calm(Duration time, GoodClient client, HealthProbe probe)
            throws InterruptedException {
        var _ = client.takeReport();
        var _ = probe.takeReport();
        Deadline.after(time).await();
        return new Observed(
                new Endings(), client.takeReport(), probe.takeReport(), time.toSeconds());
    }
}
