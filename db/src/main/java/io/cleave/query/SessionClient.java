package io.cleave.query;

/// Who opened a session, as far as the client has said it; `user` is whom its token names. Empty is
/// unknown.
public record SessionClient(
        String address,
        String processId,
        String userAgent,
        String sdk,
        String application,
        String user) {
    public static final SessionClient UNKNOWN = new SessionClient("", "", "", "", "", "");
}
