package io.cleave.yt.format;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/// The encoding of a body, as `Content-Encoding` and `Accept-Encoding` name it.
///
/// When a body is read, `gzip` and `deflate` mean the same: gzip, zlib and raw deflate are
/// distinguished by the first bytes, because clients confuse them. `z-zstd_1`, `z-zstd_3` and
/// `z-zstd_7` are streams of blocks ([BlockStream]). `br` is Brotli. It can only be read: answers
/// to clients that name it have another encoding. Other encodings are not supported; the server
/// answers 415.
///
/// Threads: any; each stream is for one thread at a time.
public final class ContentCoding {
    private enum Kind {
        IDENTITY,
        GZIP,
        DEFLATE,
        BROTLI,
        ZSTD_BLOCKS
    }

    public static final ContentCoding IDENTITY = new ContentCoding("identity", Kind.IDENTITY);

    private static final String BLOCKS_PREFIX = "z-";

    private final String name;
    private final Kind kind;

    private ContentCoding(String name, Kind kind) {
        this.name = name;
        this.kind = kind;
    }

    /// The encoding with this name; empty if it is not supported.
    public static Optional<ContentCoding> find(String name) {
        String trimmed = name.strip();
        return switch (trimmed.toLowerCase(Locale.ROOT)) {
            case "", "identity" -> Optional.of(IDENTITY);
            case "gzip", "x-gzip" -> Optional.of(new ContentCoding(trimmed, Kind.GZIP));
            case "deflate" -> Optional.of(new ContentCoding(trimmed, Kind.DEFLATE));
            case "br" -> Optional.of(new ContentCoding(trimmed, Kind.BROTLI));
            default ->
                    trimmed.startsWith(BLOCKS_PREFIX)
                                    && ZstdCodec.find(trimmed.substring(BLOCKS_PREFIX.length()))
                                            .isPresent()
                                    && ZstdContexts.areAvailable()
                            ? Optional.of(new ContentCoding(trimmed, Kind.ZSTD_BLOCKS))
                            : Optional.empty();
        };
    }

    /// The encoding for the answer to a request with this header `Accept-Encoding`. If the client
    /// names a stream of blocks, that is used, because such clients accept nothing else. Otherwise,
    /// if the client names `identity`, that is used. Otherwise the first of `gzip` and `deflate` is
    /// used. Encodings that are not supported, or cannot be written, are ignored.
    public static ContentCoding choose(String acceptEncoding) {
        if (acceptEncoding.isEmpty()) {
            return IDENTITY;
        }
        Optional<ContentCoding> packed = Optional.empty();
        boolean plain = false;
        for (String part : acceptEncoding.split(",", -1)) {
            String[] fields = part.split(";", 2);
            boolean refused =
                    fields.length == 2 && fields[1].replace(" ", "").matches("q=0(\\.0*)?");
            if (refused || fields[0].isBlank()) {
                continue;
            }
            Optional<ContentCoding> coding = find(fields[0]);
            if (coding.isEmpty()) {
                continue;
            }
            switch (coding.get().kind) {
                case ZSTD_BLOCKS -> {
                    return coding.get();
                }
                case BROTLI -> {}
                case IDENTITY -> plain = true;
                case GZIP, DEFLATE -> packed = packed.isPresent() ? packed : coding;
            }
        }
        return plain ? IDENTITY : packed.orElse(IDENTITY);
    }

    /// The value of the header `Content-Encoding` for this encoding.
    public String name() {
        return name;
    }

    public boolean isIdentity() {
        return kind == Kind.IDENTITY;
    }

    /// The body without its encoding. Reading throws a `YtException` if the body is not
    /// well-formed, stops too early, has more than `maxBytes` bytes, or has an implausible
    /// compression ratio. Large buffers and windows take their memory from `memory`. The caller
    /// closes the stream.
    public InputStream decode(InputStream body, long maxBytes, CallMemory memory) {
        return switch (kind) {
            case IDENTITY -> new LimitedBody(body, UnaryOperator.identity(), maxBytes);
            case GZIP, DEFLATE -> new LimitedBody(body, InflatedBody::new, maxBytes);
            case BROTLI ->
                    new LimitedBody(body, packed -> new BrotliBody(packed, memory), maxBytes);
            case ZSTD_BLOCKS ->
                    new LimitedBody(body, packed -> new BlockStream(packed, memory), maxBytes);
        };
    }

    /// A stream whose bytes go to the target in this encoding. Closing it writes the end of the
    /// encoding; it does not close the target. Brotli cannot be written.
    public OutputStream encode(OutputStream target) throws IOException {
        var open =
                new FilterOutputStream(target) {
                    @Override
                    public void write(byte[] data, int offset, int length) throws IOException {
                        out.write(data, offset, length);
                    }

                    @Override
                    public void close() throws IOException {
                        flush();
                    }
                };
        return switch (kind) {
            case IDENTITY -> open;
            case GZIP -> new GZIPOutputStream(open, 8 << 10);
            case DEFLATE -> new DeflaterOutputStream(open);
            case BROTLI -> throw new IllegalStateException("Brotli is only read");
            case ZSTD_BLOCKS ->
                    new BlockOutput(
                            ZstdCodec.find(name.substring(BLOCKS_PREFIX.length())).orElseThrow(),
                            open);
        };
    }
}
