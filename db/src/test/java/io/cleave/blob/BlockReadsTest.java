package io.cleave.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cleave.disk.FileDisk;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/// What the kernel brings into memory when a block of a blob is read that was only on disk. Its
/// pages are counted with the C library's `mincore`.
@EnabledOnOs(OS.LINUX)
class BlockReadsTest {
    private static final int BLOB_BYTES = 4 << 20;
    private static final int BLOCK_BYTES = 16 << 10;
    private static final int PAGE_BYTES = 4 << 10;

    // Constants of the C library.
    private static final int O_RDONLY = 0;
    private static final int DONTNEED = 4;

    @TempDir(factory = InTarget.class)
    private Path folder;

    private LocalBlobs blobs;

    /// The size of a read-ahead is a setting of the machine. Where it is small, nothing is shown.
    @Test
    void aBlockThatIsAskedForIsAllThatIsRead() throws Throwable {
        var pageBytes = function("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        assumeTrue((int) pageBytes.invokeExact() == PAGE_BYTES, "pages have another size here");
        blobs = new LocalBlobs(new FileDisk(), Map.of(BlobStore.DEFAULT_MEDIUM, folder));
        long offset = BLOB_BYTES / 2 + 100;
        long unasked = writeBlob();
        assertThat(sum(blobs.open(unasked), offset)).isZero();
        assumeTrue(
                residentPages(unasked) > 2L * BLOCK_BYTES / PAGE_BYTES, "little read-ahead here");

        long asked = writeBlob();
        BlobReader blob = blobs.open(asked);
        blob.willRead(offset, BLOCK_BYTES);
        assertThat(sum(blob, offset)).isZero();
        assertThat(residentPages(asked)).isLessThanOrEqualTo(2L * BLOCK_BYTES / PAGE_BYTES);
    }

    /// None of its pages is in memory.
    private long writeBlob() throws Throwable {
        try (BlobWriter writer = blobs.create()) {
            writer.write(new byte[BLOB_BYTES]);
            writer.seal();
            evict(file(writer.id()));
            assumeTrue(residentPages(writer.id()) == 0, "files are kept in memory here");
            return writer.id();
        }
    }

    private Path file(long id) {
        return folder.resolve(LocalBlobs.sealedName(id));
    }

    private static int sum(BlobReader blob, long offset) {
        var block = blob.read(offset, BLOCK_BYTES);
        int sum = 0;
        while (block.hasRemaining()) {
            sum += block.get();
        }
        return sum;
    }

    private static void evict(Path file) throws Throwable {
        try (var arena = Arena.ofConfined()) {
            int descriptor =
                    (int)
                            function(
                                            "open",
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_INT,
                                                    ValueLayout.ADDRESS,
                                                    ValueLayout.JAVA_INT))
                                    .invokeExact(arena.allocateFrom(file.toString()), O_RDONLY);
            int _ =
                    (int)
                            function(
                                            "posix_fadvise",
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_INT,
                                                    ValueLayout.JAVA_INT,
                                                    ValueLayout.JAVA_LONG,
                                                    ValueLayout.JAVA_LONG,
                                                    ValueLayout.JAVA_INT))
                                    .invokeExact(descriptor, 0L, 0L, DONTNEED);
            int _ =
                    (int)
                            function(
                                            "close",
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                                    .invokeExact(descriptor);
        }
    }

    private long residentPages(long id) throws Throwable {
        try (var arena = Arena.ofConfined();
                var channel = FileChannel.open(file(id), StandardOpenOption.READ)) {
            MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            MemorySegment pages = arena.allocate(mapped.byteSize() / PAGE_BYTES);
            int failed =
                    (int)
                            function(
                                            "mincore",
                                            FunctionDescriptor.of(
                                                    ValueLayout.JAVA_INT,
                                                    ValueLayout.ADDRESS,
                                                    ValueLayout.JAVA_LONG,
                                                    ValueLayout.ADDRESS))
                                    .invokeExact(mapped, mapped.byteSize(), pages);
            assertThat(failed).isZero();
            long count = 0;
            for (long page = 0; page < pages.byteSize(); page++) {
                count += pages.get(ValueLayout.JAVA_BYTE, page) & 1;
            }
            return count;
        }
    }

    @SuppressWarnings("restricted") // functions of the C library, with the signatures of its manual
    private static MethodHandle function(String name, FunctionDescriptor signature) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), signature);
    }

    /// On the disk of the source tree: the system's folder for temporary files may be in memory.
    static final class InTarget implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
                throws IOException {
            return Files.createTempDirectory(Path.of("target"), "blocks");
        }
    }
}
