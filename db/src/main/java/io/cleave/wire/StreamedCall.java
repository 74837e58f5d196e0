package io.cleave.wire;

import java.util.function.Function;

/// Runs the body of a streaming call apart from the connection's thread; a failure becomes its last
/// reply.
final class StreamedCall {
    private StreamedCall() {}

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    static <R> void run(
            Requests requests, ReplyStream<R> stream, Function<Failure, R> failed, Runnable body) {
        boolean started =
                requests.spawn(
                        () -> {
                            try {
                                body.run();
                            } catch (Throwable thrown) {
                                stream.sendNow(failed.apply(Failure.of(thrown)));
                            }
                            stream.complete();
                        });
        if (!started) {
            stream.sendNow(failed.apply(Requests.overloaded()));
            stream.complete();
        }
    }
}
