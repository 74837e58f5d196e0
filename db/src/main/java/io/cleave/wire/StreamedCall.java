package io.cleave.wire;

import io.cleave.query.CallerDatabase;
import io.cleave.query.Cancellation;
import io.grpc.stub.StreamObserver;

import java.util.function.BiConsumer;
import java.util.function.Function;

/// Runs the body of a streaming call on its own thread. If the body fails, the failure is the last
/// reply.
final class StreamedCall {
    private StreamedCall() {}

    @SuppressWarnings("CatchThrowable") // every request gets an answer
    static <R> void run(
            Requests requests,
            StreamObserver<R> replies,
            Cancellation cancellation,
            Function<Failure, R> failed,
            BiConsumer<CallerDatabase, ReplyStream<R>> body) {
        CallerDatabase caller = CallerHeaders.database();
        var stream = new ReplyStream<>(requests, replies, cancellation);
        boolean started =
                requests.spawn(
                        () -> {
                            try {
                                body.accept(caller, stream);
                            } catch (Throwable thrown) {
                                stream.sendNow(failed.apply(Failure.of(thrown)));
                            }
                            stream.complete();
                        });
        if (!started) {
            stream.sendNow(failed.apply(requests.overloaded()));
            stream.complete();
        }
    }
}
