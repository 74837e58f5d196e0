package io.cleave.bench.yt;

import io.cleave.bench.Load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// A client on one kept connection that sends one of its requests at random, again and again.
final class Asking implements Load.Client {
    private final HttpLink link;
    private final byte[][] requests;
    private final int leastAnswerBytes;

    /// @param requests prepares the requests, because they name the host of the connection
    /// @param leastAnswerBytes a shorter answer cannot be right
    Asking(String address, Function<HttpLink, byte[][]> requests, int leastAnswerBytes)
            throws IOException {
        link = new HttpLink(address);
        this.requests = requests.apply(link);
        this.leastAnswerBytes = leastAnswerBytes;
    }

    @Override
    public void ask(RandomGenerator random) throws Exception {
        byte[] answer = link.send(requests[random.nextInt(requests.length)]);
        if (answer.length < leastAnswerBytes) {
            throw new IOException("an answer of only " + answer.length + " bytes");
        }
    }

    @Override
    public void close() {
        try {
            link.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
