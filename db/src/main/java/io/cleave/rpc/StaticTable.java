package io.cleave.rpc;

/// HPACK's static table of header fields (RFC 7541, appendix A).
final class StaticTable {
    static final int STATUS_200 = 8;
    static final int CONTENT_TYPE = 31;

    /// Names and values alternate. The first field has index 1.
    private static final String[] TEXTS = {
        ":authority", "",
        ":method", "GET",
        ":method", "POST",
        ":path", "/",
        ":path", "/index.html",
        ":scheme", "http",
        ":scheme", "https",
        ":status", "200",
        ":status", "204",
        ":status", "206",
        ":status", "304",
        ":status", "400",
        ":status", "404",
        ":status", "500",
        "accept-charset", "",
        "accept-encoding", "gzip, deflate",
        "accept-language", "",
        "accept-ranges", "",
        "accept", "",
        "access-control-allow-origin", "",
        "age", "",
        "allow", "",
        "authorization", "",
        "cache-control", "",
        "content-disposition", "",
        "content-encoding", "",
        "content-language", "",
        "content-length", "",
        "content-location", "",
        "content-range", "",
        "content-type", "",
        "cookie", "",
        "date", "",
        "etag", "",
        "expect", "",
        "expires", "",
        "from", "",
        "host", "",
        "if-match", "",
        "if-modified-since", "",
        "if-none-match", "",
        "if-range", "",
        "if-unmodified-since", "",
        "last-modified", "",
        "link", "",
        "location", "",
        "max-forwards", "",
        "proxy-authenticate", "",
        "proxy-authorization", "",
        "range", "",
        "referer", "",
        "refresh", "",
        "retry-after", "",
        "server", "",
        "set-cookie", "",
        "strict-transport-security", "",
        "transfer-encoding", "",
        "user-agent", "",
        "vary", "",
        "via", "",
        "www-authenticate", "",
    };

    static final int SIZE = TEXTS.length / 2;

    private static final Field[] FIELDS = fields();

    private StaticTable() {}

    static Field field(int index) {
        return FIELDS[index - 1];
    }

    private static Field[] fields() {
        Field[] fields = new Field[SIZE];
        for (int index = 0; index < SIZE; index++) {
            fields[index] = Field.of(TEXTS[2 * index], TEXTS[2 * index + 1]);
        }
        return fields;
    }
}
