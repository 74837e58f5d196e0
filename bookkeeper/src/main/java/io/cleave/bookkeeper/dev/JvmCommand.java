package io.cleave.bookkeeper.dev;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How a process of the cluster is started: with the JVM, the class path and the options of this
/// one, so that the jars of this build are all it takes.
public record JvmCommand(List<String> words) {
    /// BookKeeper, ZooKeeper and their Netty look into these; see docs/decisions/0014.
    private static final List<String> OPEN =
            List.of("java.nio", "jdk.internal.misc", "java.io", "java.util.zip");

    /// What other options of this process begin with that are not for others.
    private static final List<String> OWN =
            List.of("-Xmx", "-XX:MaxRAM", "-agentlib", "-javaagent", "-Dsurefire", "-Dbasedir", "--add-opens");

    /// Of the heap, in megabytes; the rest of a bookie's memory is Netty's and its write cache.
    private static final Map<Member.Kind, Integer> HEAP =
            Map.of(Member.Kind.ZOOKEEPER, 128, Member.Kind.BOOKIE, 512, Member.Kind.NODE, 1024);

    public JvmCommand {
        words = List.copyOf(words);
    }

    /// As this process was started.
    public static JvmCommand ofThisProcess() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (OWN.stream().noneMatch(option::startsWith)) {
                words.add(option);
            }
        }
        OPEN.forEach(name -> words.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        words.add("-Dio.netty.tryReflectionSetAccessible=true");
        words.add("-cp");
        words.add(System.getProperty("java.class.path"));
        return new JvmCommand(words);
    }

    List<String> of(Member.Kind kind, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(words);
        command.add(1, "-Xmx" + HEAP.get(kind) + "m");
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
