package io.cleave.http;

import io.cleave.http.RequestCheck.Accepted;
import io.cleave.http.RequestCheck.Refused;
import io.cleave.net.PeerAddress;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.socket.DuplexChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultLastHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpMethod;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpUtil;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// One connection: receives one request at a time and answers it.
///
/// Threads: only the connection's event loop, except for handlers. Handlers have their own threads,
/// and pass their answers to [#later].
final class HttpConnection extends ChannelInboundHandlerAdapter {
    /// Most answers have a shorter head.
    private static final int FIRST_HEAD_BYTES = 512;

    private final HttpServer server;
    private final RequestGate gate;
    private Phase phase = Phase.IDLE;

    @SuppressWarnings("NullAway.Init") // set before anything else is called
    private ChannelHandlerContext context;

    @SuppressWarnings("NullAway.Init") // set when the connection opens
    private Object peer;

    private String peerAddress = "";

    /// Runs when the current phase takes too long; null if the phase has no time limit.
    private @Nullable Runnable tooLate;

    /// The time at which the current phase has taken too long.
    private long deadlineNanos;

    /// Checks whether the phase has taken too long. It stays scheduled when a phase ends, so most
    /// phases schedule nothing.
    private @Nullable Future<?> alarm;

    private long alarmNanos;

    private ResponseHead head = new ResponseHead(false, false, false);
    private @Nullable IncomingRequest request;
    private @Nullable OutgoingBody sending;

    /// The bytes of the current head, and how many of them were taken from the budget.
    private int headBytes;

    private int takenHeadBytes;
    private volatile @Nullable ResponseStream stream;

    HttpConnection(HttpServer server) {
        this.server = server;
        this.gate = new RequestGate(server.limits(), this);
    }

    private enum Phase {
        /// No byte of a request has arrived.
        IDLE,
        /// The headers are arriving.
        HEAD,
        /// The body is arriving.
        BODY,
        /// The answer is being made.
        WORK,
        /// The answer is being sent.
        SEND,
        /// The last answer was sent; the client has time to read it.
        LINGER,
        CLOSED
    }

    RequestGate gate() {
        return gate;
    }

    /// Whether the client of the current request speaks HTTP/1.0.
    boolean isOld() {
        return head.isOld();
    }

    boolean isActive() {
        return context.channel().isActive();
    }

    String peerAddress() {
        return peerAddress;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        peer = PeerAddress.of(active.channel().remoteAddress());
        peerAddress = String.valueOf(active.channel().remoteAddress());
        if (server.admit(this, peer)) {
            enter(Phase.IDLE, server.limits().idleTime(), this::closeNow);
        } else {
            closeNow();
        }
    }

    /// Called when the first byte of a request has arrived.
    void requestBegins() {
        headBytes = 0;
        Duration time = server.limits().headTime();
        enter(Phase.HEAD, time, () -> late("headers", time));
    }

    /// Called when a part of the head has arrived. Long heads are counted like bodies.
    void headArrives(int count) throws BadRequestException {
        headBytes += count;
        int missing = headBytes - HttpLimits.FREE_HEADER_BYTES - takenHeadBytes;
        if (missing > 0) {
            server.bodies().take(peer, missing);
            takenHeadBytes += missing;
        }
    }

    private void forgetHead() {
        server.bodies().giveBack(peer, takenHeadBytes);
        takenHeadBytes = 0;
    }

    private void late(String what, Duration time) {
        refuse(
                new BadRequestException(
                        408,
                        "the %s of the request did not arrive within %d ms"
                                .formatted(what, time.toMillis())));
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        try {
            if (phase == Phase.HEAD && message instanceof HttpRequest read) {
                headRead(read);
            } else if (phase == Phase.BODY && message instanceof HttpContent read) {
                bodyRead(read);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void headRead(HttpRequest read) {
        boolean isOld = read.protocolVersion().equals(HttpVersion.HTTP_1_0);
        boolean isHead = read.method().equals(HttpMethod.HEAD);
        head = new ResponseHead(isOld, isHead, HttpUtil.isKeepAlive(read));
        if (read.decoderResult().isFailure()) {
            String why = String.valueOf(read.decoderResult().cause().getMessage());
            refuse(new BadRequestException(400, "the headers are malformed: " + why));
            return;
        }
        var local = (InetSocketAddress) context.channel().localAddress();
        InetAddress address = local.getAddress();
        switch (server.check().look(read, address)) {
            case Refused(Answer answer, boolean endsConnection) -> {
                if (endsConnection) {
                    refuse(answer);
                } else {
                    request = new IncomingRequest(server, answer);
                    gate.grammar().expectBody(0);
                    phase = Phase.BODY;
                }
            }
            case Accepted accepted -> {
                request = new IncomingRequest(server, peer, read, accepted, takenHeadBytes);
                takenHeadBytes = 0;
                awaitBody(accepted, HttpUtil.is100ContinueExpected(read));
            }
        }
    }

    private void awaitBody(Accepted accepted, boolean isContinueExpected) {
        if (accepted.body().isChunked()) {
            gate.grammar().expectChunks(accepted.route().maxBodyBytes());
        } else {
            gate.grammar().expectBody(accepted.body().bytes());
        }
        if (accepted.body().isEmpty()) {
            phase = Phase.BODY;
            return;
        }
        Duration time = server.limits().bodyTime();
        enter(Phase.BODY, time, () -> late("body", time));
        if (isContinueExpected) {
            var _ =
                    context.writeAndFlush(
                            new DefaultFullHttpResponse(
                                    HttpVersion.HTTP_1_1,
                                    HttpResponseStatus.CONTINUE,
                                    Unpooled.EMPTY_BUFFER));
        }
    }

    private void bodyRead(HttpContent read) {
        IncomingRequest incoming = request;
        if (incoming == null) {
            return;
        }
        if (read.decoderResult().isFailure()) {
            refuse(new BadRequestException(400, "the body is malformed"));
            return;
        }
        try {
            incoming.add(read, this);
        } catch (BadRequestException e) {
            refuse(e);
        }
    }

    /// Called when the last byte of a request has arrived.
    void requestEnds() {
        IncomingRequest incoming = request;
        if (phase != Phase.BODY || incoming == null) {
            return;
        }
        if (!incoming.isWhole()) {
            refuse(new BadRequestException(400, "the length of the body differs from the headers"));
            return;
        }
        enter(Phase.WORK);
        incoming.answer(this);
    }

    /// Runs the work on the event loop. Returns false if the server has stopped.
    boolean later(Runnable work) {
        try {
            context.executor().execute(work);
            return true;
        } catch (RejectedExecutionException _) {
            return false;
        }
    }

    /// Sends the error as the last answer. After bytes that are not valid, no other request can
    /// follow.
    void refuse(BadRequestException e) {
        refuse(server.check().refusal(e));
    }

    private void refuse(Answer answer) {
        if (phase != Phase.HEAD && phase != Phase.BODY) {
            return;
        }
        head = new ResponseHead(head.isOld(), head.isHead(), false);
        IncomingRequest incoming = request;
        if (incoming != null) {
            incoming.stopped("the request was refused before its body had arrived");
        }
        gate.discard();
        send(answer, () -> {});
    }

    /// Sends the answer to a request, unless the request has been refused in the meantime.
    void sendFor(IncomingRequest answered, Answer answer, Runnable handedOver) {
        if (request == answered) {
            send(answer, handedOver);
        } else {
            handedOver.run();
        }
    }

    /// Sends an answer with a complete body. `handedOver` runs when the socket has taken all bytes,
    /// or when it is certain that it never will.
    void send(Answer answer, Runnable handedOver) {
        forgetRequest();
        forgetHead();
        if (phase == Phase.CLOSED) {
            handedOver.run();
            return;
        }
        enter(Phase.SEND, server.limits().sendTime(), this::closeNow);
        byte[] body =
                !head.isHead() && answer.content() instanceof Answer.Whole whole
                        ? whole.bytes()
                        : new byte[0];
        if (body.length <= OutgoingBody.PART_BYTES) {
            ByteBuf bytes = context.alloc().buffer(FIRST_HEAD_BYTES + body.length);
            head.write(answer, server.date(), bytes);
            bytes.writeBytes(body);
            handedOver.run();
            afterLast(gate.send(bytes));
            return;
        }
        var _ = context.write(head.of(answer, server.date()));
        sending = new OutgoingBody(body, handedOver);
        sendMore();
    }

    private void sendMore() {
        OutgoingBody body = sending;
        if (body == null) {
            return;
        }
        while (body.hasMore() && context.channel().isWritable()) {
            var _ = context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(body.next())));
        }
        if (body.hasMore()) {
            context.flush();
            return;
        }
        sending = null;
        body.handedOver().run();
        sendEnd(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    private void sendEnd(LastHttpContent end) {
        afterLast(context.writeAndFlush(end));
    }

    /// Ends the answer when `last`, its last write, has completed.
    private void afterLast(ChannelFuture last) {
        boolean staysOpen = head.keepAlive();
        var _ =
                last.addListener(
                        written -> {
                            if (written.isSuccess()) {
                                answered(staysOpen);
                            } else {
                                closeNow();
                            }
                        });
    }

    /// Called on the handler's thread. Returns when the body was written, or when writing failed.
    void stream(Answer answer, Answer.Writer writer) {
        ResponseStream out = beginStream(answer);
        try {
            if (!head.isHead()) {
                writer.writeTo(out);
            }
            endStream(out, answer, Map.of());
        } catch (IOException _) {
            // The client is gone, or is cut off because it does not read.
            abortStream();
        } catch (RuntimeException | Error e) {
            HttpServer.report(e);
            abortStream();
        }
    }

    /// Sends the head of an answer whose body follows. Called on the handler's thread.
    ResponseStream beginStream(Answer answer) {
        var out =
                new ResponseStream(
                        server.env(), context.channel(), server.limits().sendTime(), head.isHead());
        stream = out;
        var _ = context.channel().write(head.of(answer, server.date()));
        return out;
    }

    /// Ends a complete body. Called on the handler's thread.
    void endStream(ResponseStream out, Answer answer, Map<String, String> trailers) {
        ResponseHead now = head;
        try {
            out.flush();
        } catch (IOException _) {
            abortStream();
            return;
        } finally {
            stream = null;
        }
        var end = new DefaultLastHttpContent();
        if (!now.isOld() && !now.isHead()) {
            trailers.forEach(end.trailingHeaders()::set);
        }
        later(
                () -> {
                    forgetRequest();
                    server.table().finish(this);
                    if (phase == Phase.WORK) {
                        head =
                                new ResponseHead(
                                        now.isOld(), now.isHead(), !now.endsWithConnection(answer));
                        enter(Phase.SEND, server.limits().sendTime(), this::closeNow);
                        sendEnd(end);
                    }
                });
    }

    /// Ends the connection in the middle of the body. A client of HTTP/1.0 can distinguish this
    /// from the end of the body only by a reset. Called on the handler's thread.
    void abortStream() {
        stream = null;
        if (head.isOld()) {
            context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        }
        closeNow();
    }

    private void answered(boolean staysOpen) {
        if (phase != Phase.SEND) {
            return;
        }
        if (!staysOpen || server.isStopping()) {
            linger();
            return;
        }
        server.table().finish(this);
        enter(Phase.IDLE, server.limits().idleTime(), this::closeNow);
        if (gate.hasMore()) {
            // Before the next of several pipelined requests, other connections are served.
            later(gate::openAgain);
        } else {
            gate.openAgain();
        }
    }

    /// Ends the connection, but gives the client time to read its answer and to close. If a socket
    /// is closed with unread input, the client gets an error and may lose the answer.
    private void linger() {
        enter(Phase.LINGER, server.limits().lingerTime(), this::closeNow);
        gate.discard();
        if (context.channel() instanceof DuplexChannel duplex && !duplex.isInputShutdown()) {
            var _ = duplex.shutdownOutput();
        } else {
            closeNow();
        }
    }

    /// Called when the client has closed its output. An incomplete request is not answered.
    void inputEnded() {
        if (phase != Phase.WORK && phase != Phase.SEND) {
            closeNow();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        if (!context.channel().isWritable()) {
            return;
        }
        if (phase == Phase.SEND) {
            enter(Phase.SEND, server.limits().sendTime(), this::closeNow);
            sendMore();
        }
        wakeStream();
    }

    private void wakeStream() {
        ResponseStream waiting = stream;
        if (waiting != null) {
            waiting.wake();
        }
    }

    /// Closes the connection at once. May be called from any thread.
    void closeNow() {
        var _ = context.channel().close();
    }

    /// Called when the channel is closed.
    void closed() {
        enter(Phase.CLOSED);
        server.left(this);
        wakeStream();
        // If a handler is working, it gives back the memory of the request itself.
        IncomingRequest incoming = request;
        if (incoming != null) {
            incoming.closed();
        }
        forgetRequest();
        forgetHead();
        OutgoingBody body = sending;
        if (body != null) {
            sending = null;
            body.handedOver().run();
        }
    }

    private void forgetRequest() {
        IncomingRequest incoming = request;
        if (incoming != null) {
            request = null;
            incoming.release();
        }
    }

    private void enter(Phase next) {
        phase = next;
        tooLate = null;
        if (next == Phase.CLOSED) {
            stopAlarm();
        }
    }

    private void enter(Phase next, Duration time, Runnable after) {
        phase = next;
        tooLate = after;
        deadlineNanos = server.env().nanoTime() + time.toNanos();
        if (alarm == null || alarmNanos - deadlineNanos > 0) {
            stopAlarm();
            startAlarm(time.toNanos());
        }
    }

    private void startAlarm(long nanos) {
        alarmNanos = deadlineNanos;
        alarm = context.executor().schedule(this::alarm, nanos, TimeUnit.NANOSECONDS);
    }

    private void stopAlarm() {
        Future<?> running = alarm;
        if (running != null) {
            running.cancel(false);
            alarm = null;
        }
    }

    private void alarm() {
        alarm = null;
        Runnable after = tooLate;
        if (after == null) {
            return;
        }
        long left = deadlineNanos - server.env().nanoTime();
        if (left > 0) {
            startAlarm(left);
        } else {
            after.run();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (!(cause instanceof IOException)) {
            HttpServer.report(cause);
        }
        closeNow();
    }
}
