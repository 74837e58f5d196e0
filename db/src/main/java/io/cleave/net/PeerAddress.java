package io.cleave.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;

/// The key by which limits count one client: an IPv4 address, or the /64 network of an IPv6
/// address, because such a network usually belongs to one client.
public final class PeerAddress {
    private static final int IPV6_NETWORK_BYTES = 8;

    private PeerAddress() {}

    /// A key for equality only.
    public static Object of(SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress socket) || socket.getAddress() == null) {
            return remote;
        }
        InetAddress address = socket.getAddress();
        return address instanceof Inet6Address && !address.isLoopbackAddress()
                ? network(address.getAddress())
                : address;
    }

    private static String network(byte[] bytes) {
        return Arrays.toString(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES));
    }
}
