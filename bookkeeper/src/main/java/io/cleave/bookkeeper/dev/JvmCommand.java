package io.cleave.bookkeeper.dev;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The command that starts a process of the cluster: with the JVM, the options and the jars of this
/// process, so that the build is enough.
///
/// @param options the JVM and its options
/// @param jar the program's jar if this process was started from it, otherwise empty. Its manifest
///   opens the packages that BookKeeper needs; the same options on the command line would disable
///   the AOT cache.
/// @param classPath used if there is no jar
/// @param nodeMain the class whose `main` takes `start` and its options; used if there is no jar
public record JvmCommand(List<String> options, String jar, String classPath, String nodeMain) {
    /// The word before the arguments of [MemberMain] if the program is started from its jar.
    public static final String MEMBER = "member";

    /// BookKeeper, ZooKeeper and their Netty use reflection on these packages: docs/decisions/0014.
    private static final List<String> OPEN =
            List.of("java.nio", "jdk.internal.misc", "java.io", "java.util.zip");

    /// Prefixes of options of this process that are not passed on.
    private static final List<String> OWN =
            List.of("-Xmx", "-XX:MaxRAM", "-agentlib", "-javaagent", "--add-opens");

    /// Heap sizes in megabytes. A bookie uses as much again outside the heap.
    private static final Map<Member.Kind, Integer> HEAP =
            Map.of(Member.Kind.ZOOKEEPER, 128, Member.Kind.BOOKIE, 512, Member.Kind.NODE, 1024);

    public JvmCommand {
        options = List.copyOf(options);
    }

    /// The command by which this process was started.
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
