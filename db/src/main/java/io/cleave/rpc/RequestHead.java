package io.cleave.rpc;

import io.grpc.Metadata;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/// The headers of one request, added one by one as they are decoded. What HTTP/2 forbids is
/// remembered, and reported after the last header, because the whole block has to be decoded
/// anyway.
final class RequestHead implements Consumer<Field> {
    private static final String GRPC = "application/grpc";
    private static final long UNKNOWN_LENGTH = -1;

    /// Limit of the digits of a content-length. No gRPC message is nearly that long.
    private static final int MOST_LENGTH_DIGITS = 18;

    /// Limit of the values in one binary header, which are separated by commas.
    private static final int MOST_VALUES = 100;

    private static final Metadata.BinaryMarshaller<byte[]> BYTES = Metadata.BINARY_BYTE_MARSHALLER;

    private final int maxBytes;
    private final List<Field> fields = new ArrayList<>(8);
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String path;
    private @Nullable String authority;
    private @Nullable String contentType;
    private @Nullable String timeout;
    private @Nullable String encoding;
    private @Nullable String malformed;
    private long contentLength = UNKNOWN_LENGTH;
    private long bytes;

    RequestHead(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void accept(Field field) {
        bytes += field.bytes();
        if (bytes > maxBytes) {
            return;
        }
        Field.Name name = field.name();
        if (name.isPseudo()) {
            acceptPseudo(name.text(), field.value());
            return;
        }
        if (!name.isLegal()) {
            malformed = "a header's name that is none: " + name.text();
            return;
        }
        if (name.isBinary() && valueCount(field.value()) > MOST_VALUES) {
            malformed = "more than %d values of %s".formatted(MOST_VALUES, name.text());
            return;
        }
        acceptKnown(name.text(), field.value());
        fields.add(field);
    }

    private static long valueCount(String list) {
        return 1 + list.chars().filter(c -> c == ',').count();
    }

    private void acceptKnown(String name, String value) {
        switch (name) {
            case "content-type" -> contentType = value;
            case "grpc-timeout" -> timeout = value;
            case "grpc-encoding" -> encoding = value;
            case "content-length" -> acceptLength(value);
            case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" ->
                    malformed = "a header of HTTP/1: " + name;
            case "te" -> {
                if (!value.equals("trailers")) {
                    malformed = "te: " + value;
                }
            }
            default -> {}
        }
    }

    private void acceptLength(String value) {
        boolean number =
                !value.isEmpty()
                        && value.length() <= MOST_LENGTH_DIGITS
                        && value.chars().allMatch(c -> c >= '0' && c <= '9');
        long length = number ? Long.parseLong(value) : UNKNOWN_LENGTH;
        if (!number || (contentLength != UNKNOWN_LENGTH && contentLength != length)) {
            malformed = "content-length: " + value;
        }
        contentLength = length;
    }

    private void acceptPseudo(String name, String value) {
        if (!fields.isEmpty()) {
            malformed = name + " after other headers";
        }
        switch (name) {
            case ":method" -> method = once(method, name, value);
            case ":scheme" -> scheme = once(scheme, name, value);
            case ":path" -> path = once(path, name, value);
            case ":authority" -> authority = once(authority, name, value);
            default -> malformed = "a header that no request has: " + name;
        }
    }

    private String once(@Nullable String before, String name, String value) {
        if (before != null) {
            malformed = name + " twice";
        }
        return value;
    }

    /// Decoded size, as HPACK counts it.
    long bytes() {
        return bytes;
    }

    boolean isTooLarge() {
        return bytes > maxBytes;
    }

    /// What HTTP/2 forbids in this request, or null. `end` means that no data follows.
    @Nullable String malformed(boolean end) {
        if (malformed != null) {
            return malformed;
        }
        if (end && contentLength > 0) {
            return "content-length without data";
        }
        if (method == null || scheme == null || path == null || path.isEmpty()) {
            return "a request without :method, :scheme or :path";
        }
        return null;
    }

    /// What HTTP/2 forbids in these trailers, or null.
    @Nullable String malformedTrailers() {
        if (malformed != null) {
            return malformed;
        }
        return method != null || scheme != null || path != null || authority != null
                ? "trailers with headers of a request"
                : null;
    }

    String method() {
        return method == null ? "" : method;
    }

    String path() {
        return path == null ? "" : path;
    }

    @Nullable String authority() {
        return authority;
    }

    @Nullable String contentType() {
        return contentType;
    }

    /// Accepts any suffix, such as `+proto`: the services decide how messages are encoded.
    boolean isOfGrpc() {
        return contentType != null
                && contentType.startsWith(GRPC)
                && (contentType.length() == GRPC.length()
                        || contentType.charAt(GRPC.length()) == '+'
                        || contentType.charAt(GRPC.length()) == ';');
    }

    /// The number of bytes of data that the client announces, or -1.
    long contentLength() {
        return contentLength;
    }

    @Nullable String timeout() {
        return timeout;
    }

    @Nullable String encoding() {
        return encoding;
    }

    /// The headers as gRPC's interceptors and services see them.
    Metadata metadata() {
        Metadata metadata = new Metadata();
        for (Field field : fields) {
            if (!field.name().isOfGrpc()) {
                continue;
            }
            if (field.name().isBinary()) {
                putBinary(metadata, field);
            } else {
                metadata.put(field.name().key(), field.value());
            }
        }
        return metadata;
    }

    /// One field may have several values, separated by commas. Values that are not base64 are
    /// skipped.
    private static void putBinary(Metadata metadata, Field field) {
        var key = Metadata.Key.of(field.name().text(), BYTES);
        for (String value : field.value().split(",", -1)) {
            try {
                metadata.put(key, Base64.getDecoder().decode(value.strip()));
            } catch (IllegalArgumentException notBase64) {
                // Code that needs the value will find it missing.
            }
        }
    }
}
