package io.cleave.query;

/// Who opened a session, as far as the client has told. `user` is the user of its token. An empty
/// string means unknown.
public record SessionClient(
        String address,
        String processId,
        String userAgent,
        String sdk,
        String application,
        String user) {
    public static final SessionClient UNKNOWN = new SessionClient("", "", "", "", "", "");

    /// A client by its address and user. Sessions are shared out among peers.
    record Peer(String address, String user) {
        @Override
        public String toString() {
            return user.isEmpty() ? address : user + "@" + address;
        }
    }

    /// The host of the address as sockets show it, without its port: `/127.0.0.1:5000` or
    /// `host/…:5000`.
    Peer peer() {
        int slash = address.indexOf('/');
        int colon = address.lastIndexOf(':');
        String host = address.substring(slash + 1, colon > slash ? colon : address.length());
        return new Peer(host, user);
    }
}
