package io.cleave.bench.abuse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/// The server that is queried and attacked: its ports on this machine, and its database.
record Target(int grpcPort, int httpPort, int ytPort, String database) {
    private static final String HOST = "127.0.0.1";

    /// The address of attackers. The server tells clients apart by their addresses.
    private static final String ATTACKER = "127.0.0.2";

    /// The target with the addresses that a server prints.
    static Target of(String endpoint, String console, String ytProxy) {
        URI grpc = URI.create(endpoint);
        return new Target(
                grpc.getPort(),
                URI.create(console).getPort(),
                URI.create(ytProxy).getPort(),
                grpc.getPath());
    }

    InetSocketAddress grpc() {
        return new InetSocketAddress(InetAddress.ofLiteral(HOST), grpcPort);
    }

    InetSocketAddress http() {
        return new InetSocketAddress(InetAddress.ofLiteral(HOST), httpPort);
    }

    InetSocketAddress yt() {
        return new InetSocketAddress(InetAddress.ofLiteral(HOST), ytPort);
    }

    static InetSocketAddress goodClient() {
        return new InetSocketAddress(InetAddress.ofLiteral(HOST), 0);
    }

    static InetSocketAddress attacker() {
        return new InetSocketAddress(InetAddress.ofLiteral(ATTACKER), 0);
    }

    Http2Connection attack(int streamWindowBytes) throws IOException {
        return Http2Connection.open(attacker(), grpc(), streamWindowBytes);
    }
}
