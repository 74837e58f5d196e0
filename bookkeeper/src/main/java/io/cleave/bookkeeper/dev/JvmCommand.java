package io.cleave.bookkeeper.dev;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How a process of the cluster is started: with the JVM, the options and the jars of this one, so
/// that the build is all it takes.
///
/// @param options the JVM and what it is told
/// @param jar the program's, if this process was started from it: its manifest opens what
///   BookKeeper looks into, which on the command line would cost the AOT cache. Empty otherwise
/// @param classPath for when there is no jar
/// @param nodeMain the class whose `main` takes `start` and its options, for when there is no jar
public record JvmCommand(List<String> options, String jar, String classPath, String nodeMain) {
    /// What comes before the arguments of [MemberMain] when the program is started from its jar.
    public static final String MEMBER = "member";

    /// BookKeeper, ZooKeeper and their Netty look into these: docs/decisions/0014.
    private static final List<String> OPEN =
            List.of("java.nio", "jdk.internal.misc", "java.io", "java.util.zip");

    /// What those options of this process begin with that are not for others.
    private static final List<String> OWN =
            List.of("-Xmx", "-XX:MaxRAM", "-agentlib", "-javaagent", "--add-opens");

    /// Of the heap, in megabytes. A bookie has as much again outside of it.
    private static final Map<Member.Kind, Integer> HEAP =
            Map.of(Member.Kind.ZOOKEEPER, 128, Member.Kind.BOOKIE, 512, Member.Kind.NODE, 1024);

    public JvmCommand {
        options = List.copyOf(options);
    }

    /// As this process was started.
    public static JvmCommand ofThisProcess(String nodeMain) {
        List<String> options = new ArrayList<>();
        options.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (OWN.stream().noneMatch(option::startsWith)) {
                options.add(option);
            }
        }
        options.add("-Dio.netty.tryReflectionSetAccessible=true");
        String classPath = System.getProperty("java.class.path");
        String program = System.getProperty("sun.java.command", "").split(" ")[0];
        boolean isJar = program.endsWith(".jar") && program.equals(classPath);
        return new JvmCommand(options, isJar ? classPath : "", classPath, nodeMain);
    }

    List<String> of(Member.Kind kind, List<String> arguments) {
        List<String> command = new ArrayList<>(options);
        command.add(1, "-Xmx" + HEAP.get(kind) + "m");
        if (kind == Member.Kind.ZOOKEEPER) {
            // It has little to do later, and is ready a second earlier.
            command.add(1, "-XX:TieredStopAtLevel=1");
        }
        if (jar.isEmpty()) {
            OPEN.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
            command.addAll(List.of("-cp", classPath));
            command.add(kind == Member.Kind.NODE ? nodeMain : MemberMain.class.getName());
        } else {
            command.addAll(List.of("-jar", jar));
            if (kind != Member.Kind.NODE) {
                command.add(MEMBER);
            }
        }
        command.addAll(arguments);
        return command;
    }
}
