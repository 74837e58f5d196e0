package io.cleave.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;

/// What counts as one client where clients are counted: an address, or the network of 64 bits that
/// one holder of IPv6 addresses has.
final class PeerAddress {
    private static final int IPV6_NETWORK_BYTES = 8;

    private PeerAddress() {}

    static Object of(SocketAddress remote) {
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
