package io.cleave.query;

import io.cleave.base.Env;

import java.nio.ByteBuffer;
import java.util.Base64;

/// Creates ids that clients see, in the formats that YDB's clients expect.
final class Ids {
    /// Crockford's base 32.
    private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();

    private static final int ULID_DIGITS = 26;

    private final Env env;
    private final int nodeId;

    Ids(Env env, int nodeId) {
        this.env = env;
        this.nodeId = nodeId;
    }

    /// A session id. Clients read the node id from it to find the server of the session.
    String session() {
        byte[] bytes =
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(env.random().nextLong())
                        .putLong(env.random().nextLong())
                        .array();
        String unique = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return "ydb://session/3?node_id=" + nodeId + "&id=" + unique;
    }

    /// A ULID: 48 bits of milliseconds, then 80 random bits. Ids sort by the time of their
    /// creation.
    String ulid() {
        long high = ((env.wallMicros() / 1000) << 16) | (env.random().nextLong() & 0xFFFF);
        long low = env.random().nextLong();
        char[] text = new char[ULID_DIGITS];
        for (int index = ULID_DIGITS - 1; index >= 0; index--) {
            text[index] = DIGITS[(int) (low & 31)];
            low = (low >>> 5) | (high << (Long.SIZE - 5));
            high >>>= 5;
        }
        return new String(text);
    }
}
