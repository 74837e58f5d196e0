package io.cleave.bench.abuse;

import io.cleave.bench.Figures;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs the attacks on the bare echo, before those on the server.
final class EchoRun {
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    private final Figures figures;
    private final Map<String, Observed> observed = new HashMap<>();

    EchoRun(Figures figures) {
        this.figures = figures;
    }

    void run(List<String> attacks, String heap, AttackTime time)
            throws IOException, InterruptedException {
        figures.say("bare echo, heap " + heap);
        for (String attack : attacks) {
            try (var echo = EchoTargetProcess.start(heap);
                    var client = new GoodClient(echo.target(), BigTable.ROWS);
                    var probe = new HealthProbe(echo.target())) {
                var _ = Observed.calm(WARM_UP, client, probe);
                Observed seen =
                        Observed.attack(attack, time.seconds(attack), echo.target(), client, probe);
                figures.say(
                        "  %-40s %s%s"
                                .formatted(
                                        Attack.title(attack),
                                        text(seen),
                                        echo.isAlive() ? "" : "; the process ended"));
                observed.put(attack, seen);
            }
        }
    }

    /// A line about an attack on the echo.
    Optional<String> line(String attack) {
        return Optional.ofNullable(observed.get(attack)).map(EchoRun::text);
    }

    static String text(Observed seen) {
        return "p99.9 %.0f ms, slowest %.0f ms, failed %d; /healthz %.0f ms, failed %d"
                .formatted(
                        seen.good().p999(),
                        seen.good().slowest(),
                        seen.good().failures(),
                        seen.health().slowest(),
                        seen.health().failures());
    }
}
