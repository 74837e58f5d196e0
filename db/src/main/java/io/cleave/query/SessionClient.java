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

    /// One that shares what there is with others: a machine, and who is logged in on it.
    record Peer(String address, String user) {
        @Override
        public String toString() {
            return user.isEmpty() ? address : user + "@" + address;
        }
    }

    /// The address as sockets show it, without its port: `/127.0.0.1:5000` or `host/…:5000`.
    Peer peer() {
        int slash = address.indexOf('/');
        int colon = address.lastIndexOf(':');
        String host = address.substring(slash + 1, colon > slash ? colon : address.length());
        return new Peer(host, user);
    }
}
