package io.cleave.yt;

import io.cleave.access.Caller;
import io.cleave.http.Request;
import io.cleave.query.Database;

/// Finds the caller of a request. Every token is accepted, and means the user `root`, as on a local
/// cluster of YTsaurus. A request may name another user in `X-YT-User-Name`.
final class ProxyCallers {
    static final String ROOT = "root";

    private static final int MAX_NAME_CHARS = 128;

    private final Database database;

    ProxyCallers(Database database) {
        this.database = database;
    }

    Caller of(Request request) {
        String user =
                request.header("X-YT-User-Name")
                        .map(String::strip)
                        .filter(name -> !name.isEmpty() && name.length() <= MAX_NAME_CHARS)
                        .orElse(ROOT);
        return Caller.ofToken(user, request.peerAddress(), database.access());
    }
}
