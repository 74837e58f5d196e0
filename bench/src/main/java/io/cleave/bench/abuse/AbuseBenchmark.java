package io.cleave.bench.abuse;

import io.cleave.bench.Figures;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/// What a server does while clients try to bring it down, and what a well-behaved client notices. A
/// run of all attacks writes `docs/benchmarks/abuse.md`.
@Command(
        name = "abuse",
        description = "Attacks on a server, and what a good client notices of them.",
        mixinStandardHelpOptions = true)
public final class AbuseBenchmark implements Callable<Integer> {
    private static final int DEFAULT_SECONDS = 8;
    private static final List<String> DEFAULT_HEAPS = List.of("512m", "2g");

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "ATTACK",
            split = ",",
            description =
                    "groups5, groups50 (or groups for both), joins, streams, bombs, unfinished,"
                            + " sessions, settings, resets, floods, posts, ytbombs, ytposts or"
                            + " ytreaders; several with commas. Default: all.")
    private List<String> only = List.of();

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            split = ",",
            description = "Of the server. Default: 512m,2g.")
    private List<String> heaps = DEFAULT_HEAPS;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_SECONDS,
            description =
                    "How long an attack lasts at the most; queries twice as long."
                            + " Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--no-echo", description = "Leaves out the same attacks on a bare echo.")
    private boolean noEcho;

    @Override
    public Integer call() throws Exception {
        List<String> attacks = attacks();
        var figures = new Figures(System.out);
        var time = new AttackTime(seconds);
        var echo = new EchoRun(figures);
        if (!noEcho) {
            echo.run(attacks, heaps.getFirst(), time);
        }
        for (String heap : heaps) {
            try (var run = HeapRun.start(figures, heap, time, echo)) {
                run.run(attacks);
            }
        }
        boolean good = figures.finish();
        boolean whole =
                only.isEmpty()
                        && !noEcho
                        && heaps.equals(DEFAULT_HEAPS)
                        && seconds >= DEFAULT_SECONDS;
        if (whole) {
            System.out.println("written: " + AbusePage.write(figures.text(), seconds));
        }
        return good ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private List<String> attacks() {
        if (seconds < 1) {
            throw wrong("--seconds must be at least 1");
        }
        List<String> all = List.copyOf(Attack.all().keySet());
        for (String name : only) {
            if (all.stream().noneMatch(attack -> isMeant(attack, name))) {
                throw wrong("there is no attack " + name + ": " + all);
            }
        }
        return only.isEmpty()
                ? all
                : all.stream()
                        .filter(attack -> only.stream().anyMatch(name -> isMeant(attack, name)))
                        .toList();
    }

    /// A name without a number means all sizes of the attack: `groups` means `groups5` and so on.
    private static boolean isMeant(String attack, String name) {
        return attack.equals(name) || attack.replaceAll("[0-9]+$", "").equals(name);
    }

    private ParameterException wrong(String what) {
        CommandSpec known = spec;
        if (known == null) {
            throw new IllegalStateException(what);
        }
        return new ParameterException(known.commandLine(), what);
    }
}
