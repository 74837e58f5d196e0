package io.cleave.yt.format;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;

import java.util.concurrent.ArrayBlockingQueue;

/// Compresses and unpacks frames of zstd. The library's contexts are expensive to create, so a few
/// are kept for later frames.
///
/// Threads: any.
final class ZstdContexts {
    /// The maximum number of contexts that are kept. Each takes some hundred KB outside of the
    /// heap.
    private static final int MAX_KEPT = 16;

    private static final ArrayBlockingQueue<ZstdCompressCtx> COMPRESSORS =
            new ArrayBlockingQueue<>(MAX_KEPT);
    private static final ArrayBlockingQueue<ZstdDecompressCtx> UNPACKERS =
            new ArrayBlockingQueue<>(MAX_KEPT);

    private ZstdContexts() {}

    /// Whether the library runs on this platform.
    static boolean areAvailable() {
        return Library.LOADED;
    }

    private static final class Library {
        static final boolean LOADED = load();

        private static boolean load() {
            try {
                return Zstd.maxCompressionLevel() > 0;
            } catch (LinkageError _) {
                return false;
            }
        }
    }

    static int maxCompressedBytes(int length) {
        return Math.toIntExact(Zstd.compressBound(length));
    }

    /// Compresses `source[0, length)` to `target[from, …)`. Returns the number of bytes written.
    static int compress(byte[] source, int length, byte[] target, int from, int level) {
        ZstdCompressCtx kept = COMPRESSORS.poll();
        ZstdCompressCtx context = kept == null ? new ZstdCompressCtx() : kept;
        context.setLevel(level);
        int written =
                context.compressByteArray(target, from, target.length - from, source, 0, length);
        if (!COMPRESSORS.offer(context)) {
            context.close();
        }
        return written;
    }

    /// Unpacks `source[from, to)` into the target. Returns the number of bytes written, or -1 if
    /// the frame is broken or does not fit.
    static int unpack(byte[] source, int from, int to, byte[] target, int length) {
        ZstdDecompressCtx kept = UNPACKERS.poll();
        ZstdDecompressCtx context = kept == null ? new ZstdDecompressCtx() : kept;
        int written;
        try {
            written = context.decompressByteArray(target, 0, length, source, from, to - from);
        } catch (ZstdException _) {
            context.close();
            return -1;
        }
        if (!UNPACKERS.offer(context)) {
            context.close();
        }
        return written;
    }
}
