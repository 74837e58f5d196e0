package io.cleave.bench.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the kernel has read from the disk so far, and a way to drop files from the page cache.
///
/// Bytes are those of this process (`/proc/self/io`). Requests are those of the whole disk
/// (`/proc/diskstats`), because Linux does not count them for each process. Other processes can
/// only add to them.
///
/// @param requests -1 if the folder is not on a disk that `/proc/diskstats` names
record DiskReads(long bytes, long requests) {
    private static final Path IO = Path.of("/proc/self/io");
    private static final Path DISKS = Path.of("/proc/diskstats");
    private static final String READ_BYTES = "read_bytes: ";

    /// Linux's `POSIX_FADV_DONTNEED` and `O_RDONLY`.
    private static final int DONT_NEED = 4;

    private static final int READ_ONLY = 0;

    static DiskReads now(Path folder) throws IOException {
        for (String line : Files.readAllLines(IO)) {
            if (line.startsWith(READ_BYTES)) {
                return new DiskReads(
                        Long.parseLong(line.substring(READ_BYTES.length())), requests(folder));
            }
        }
        throw new IOException(IO + " has no " + READ_BYTES);
    }

    private static long requests(Path folder) throws IOException {
        long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        String major = Long.toString((device >>> 8) & 0xfff);
        String minor = Long.toString((device & 0xff) | ((device >>> 12) & 0xfff00));
        for (String line : Files.readAllLines(DISKS)) {
            List<String> fields = List.of(line.strip().split("\\s+"));
            if (fields.get(0).equals(major) && fields.get(1).equals(minor)) {
                return Long.parseLong(fields.get(3));
            }
        }
        return -1;
    }

    DiskReads since(DiskReads earlier) {
        return new DiskReads(
                bytes - earlier.bytes,
                requests < 0 || earlier.requests < 0 ? -1 : requests - earlier.requests);
    }

    /// Drops all files below a folder from the page cache. They must not be mapped, because mapped
    /// pages stay. Returns the reason if it is not possible.
    @SuppressWarnings("restricted") // functions of the C library, as the manual has them
    static Optional<String> dropCache(Path folder) throws IOException {
        if (!Files.isReadable(IO) || !Files.isReadable(DISKS)) {
            return Optional.of("the system has no " + IO + " and " + DISKS);
        }
        Linker linker = Linker.nativeLinker();
        var lookup = linker.defaultLookup();
        MethodHandle open =
                linker.downcallHandle(
                        lookup.findOrThrow("open"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        MethodHandle advise =
                linker.downcallHandle(
                        lookup.findOrThrow("posix_fadvise"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
        MethodHandle close =
                linker.downcallHandle(
                        lookup.findOrThrow("close"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (var files = Files.walk(folder);
                var arena = Arena.ofConfined()) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                MemorySegment name = arena.allocateFrom(file.toString());
                int descriptor = (int) open.invokeExact(name, READ_ONLY);
                int refused = (int) advise.invokeExact(descriptor, 0L, 0L, DONT_NEED);
                int _ = (int) close.invokeExact(descriptor);
                if (descriptor < 0 || refused != 0) {
                    return Optional.of("posix_fadvise(DONTNEED) fails for " + file);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return Optional.empty();
    }
}
