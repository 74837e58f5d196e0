package io.cleave.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Texts that clients refer to by an id. The id is a hash of the text, so preparing a text twice
/// gives the same id. After a text was evicted, its id is NOT_FOUND, and clients prepare the text
/// again. Threads: any.
public final class PreparedQueries {
    /// The size of an entry without its text.
    private static final int ENTRY_BYTES = 256;

    private static final int ID_BYTES = 16;

    private final Cache<String, String> textById;

    /// All texts together take at most `mostBytes`.
    PreparedQueries(long mostBytes) {
        textById =
                Caffeine.newBuilder()
                        .maximumWeight(mostBytes)
                        .weigher((String _, String text) -> ENTRY_BYTES + 2 * text.length())
                        .executor(Runnable::run)
                        .build();
    }

    /// The approximate size of all texts.
    long bytes() {
        return textById.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    public String add(String text) {
        String id = HexFormat.of().formatHex(sha256(text), 0, ID_BYTES);
        textById.put(id, text);
        return id;
    }

    public String text(String id) {
        String text = textById.getIfPresent(id);
        if (text == null) {
            throw new StatusException(Status.NOT_FOUND, "Query not found: " + id);
        }
        return text;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
