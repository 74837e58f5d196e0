package io.cleave.bookkeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A way to a server that can be cut: connections stay, and nothing comes through them.
final class Relay implements AutoCloseable {
    private final ServerSocket door;
    private final String host;
    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean isCut;

    private Relay(ServerSocket door, String host, int port) {
        this.door = door;
        this.host = host;
        this.port = port;
    }

    /// `server` is `host:port`.
    static Relay to(String server) throws IOException {
        String[] parts = server.split(":");
        var door = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        var relay = new Relay(door, parts[0], Integer.parseInt(parts[1]));
        Thread.ofPlatform().daemon().start(relay::accept);
        return relay;
    }

    String address() {
        return "127.0.0.1:" + door.getLocalPort();
    }

    void cut() {
        isCut = true;
    }

    void mend() {
        isCut = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = door.accept();
                sockets.add(near);
                Socket far = new Socket(host, port);
                sockets.add(far);
                Thread.ofPlatform().daemon().start(() -> copy(near, far));
                Thread.ofPlatform().daemon().start(() -> copy(far, near));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] bytes = new byte[64 << 10];
        try (from;
                to) {
            int count = from.getInputStream().read(bytes);
            while (count > 0) {
                while (isCut) {
                    Thread.sleep(10);
                }
                to.getOutputStream().write(bytes, 0, count);
                count = from.getInputStream().read(bytes);
            }
        } catch (IOException e) {
            // One of the two is gone, and so is the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            door.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
