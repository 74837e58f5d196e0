package io.cleave.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The operating system's limit of open files, which connections share with table files. If
/// connections used it up, the server could open no file any more.
public final class OpenFileLimit {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+(\\d{1,9})\\s.*");

    private OpenFileLimit() {}

    /// The number of connections that a port may have: `wanted`, or half of all open files if that
    /// is less. It is `wanted` if the limit is not known.
    public static int connections(int wanted) {
        try {
            return connections(wanted, Files.readAllLines(LIMITS));
        } catch (IOException _) {
            return wanted;
        }
    }

    /// The lines are those of `/proc/self/limits`: a name, the limit, and the highest limit.
    static int connections(int wanted, List<String> lines) {
        for (String line : lines) {
            Matcher matcher = OPEN_FILES.matcher(line);
            if (matcher.matches()) {
                return Math.clamp(Long.parseLong(matcher.group(1)) / 2, 1, wanted);
            }
        }
        return wanted;
    }
}
