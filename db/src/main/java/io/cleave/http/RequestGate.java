package io.cleave.http;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.socket.ChannelInputShutdownEvent;
import io.grpc.netty.shaded.io.netty.channel.socket.ChannelInputShutdownReadComplete;

/// Passes the bytes of one request to Netty's decoder after [RequestGrammar] has checked them, and
/// holds back the bytes of the next request. While bytes are held, nothing is read from the socket.
/// So the held bytes are at most the result of one read. Most clients send nothing before they have
/// their answer. For them, reading is never switched off and on, which would cost two system calls.
///
/// Threads: only the connection's event loop.
final class RequestGate extends ChannelInboundHandlerAdapter {
    private final RequestGrammar grammar;
    private final HttpConnection connection;

    @SuppressWarnings("NullAway.Init") // set before anything else is called
    private ChannelHandlerContext context;

    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private boolean isOpen = true;
    private boolean isDiscarding;
    private boolean isInputEnded;
    private boolean isPassing;

    /// Whether the bytes of the body wait for their handler.
    private boolean isPaused;

    private long discarded;

    RequestGate(HttpLimits limits, HttpConnection connection) {
        this.grammar = new RequestGrammar(limits);
        this.connection = connection;
    }

    RequestGrammar grammar() {
        return grammar;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        var bytes = (ByteBuf) message;
        if (isDiscarding) {
            discarded += bytes.readableBytes();
            bytes.release();
            if (discarded > HttpLimits.LINGER_BYTES) {
                connection.closeNow();
            }
            return;
        }
        if (!isOpen) {
            context.channel().config().setAutoRead(false);
        }
        // More than one read can be held only if the client has closed its output: the socket is
        // then read even while reading is switched off.
        if (held.readableBytes() > HttpLimits.READ_BYTES) {
            bytes.release();
            connection.closeNow();
            return;
        }
        if (held.isReadable()) {
            ByteBuf both = context.alloc().buffer(held.readableBytes() + bytes.readableBytes());
            both.writeBytes(held).writeBytes(bytes);
            bytes.release();
            held.release();
            held = both;
        } else {
            held.release();
            held = bytes;
        }
        pass();
    }

    /// Whether bytes of another request have arrived.
    boolean hasMore() {
        return held.isReadable();
    }

    /// Sends bytes that need no encoding.
    ChannelFuture send(ByteBuf bytes) {
        return context.writeAndFlush(bytes);
    }

    /// Called when the answer was sent. Continues with the next request.
    void openAgain() {
        grammar.nextRequest();
        isOpen = true;
        // Reading is switched on only when nothing is held any more. If it is switched on and off
        // outside of a read, the socket is read once, so the held bytes would grow each time.
        pass();
        readOn();
    }

    /// Stops reading from the socket, because the bytes of the body wait for their handler.
    void pause() {
        isPaused = true;
        context.channel().config().setAutoRead(false);
    }

    /// Reads from the socket again after [#pause], unless bytes of the next request are held.
    void resume() {
        isPaused = false;
        readOn();
    }

    private void readOn() {
        if (isDiscarding || (!isPaused && !held.isReadable())) {
            context.channel().config().setAutoRead(true);
        }
    }

    /// Discards everything that arrives from here on.
    void discard() {
        isDiscarding = true;
        release();
        context.channel().config().setAutoRead(true);
    }

    private void pass() {
        if (isPassing) {
            return;
        }
        isPassing = true;
        try {
            while (isOpen && !isDiscarding && held.isReadable()) {
                passOne();
            }
        } catch (BadRequestException e) {
            connection.refuse(e);
        } finally {
            isPassing = false;
            if (isDiscarding || !held.isReadable()) {
                release();
            }
        }
        if (isInputEnded && isOpen) {
            connection.inputEnded();
        }
    }

    private void passOne() throws BadRequestException {
        if (grammar.isStart()) {
            connection.requestBegins();
        }
        boolean isHead = grammar.isHead();
        int count = grammar.read(held);
        if (isHead) {
            connection.headArrives(count);
        }
        ByteBuf part = held.readRetainedSlice(count);
        context.fireChannelRead(part);
        if (isDiscarding) {
            return;
        }
        if (grammar.isHeadEnd()) {
            // The grammar has reached the end of the head, and the decoder has not: they disagree.
            throw new BadRequestException(400, "the headers are malformed");
        }
        if (grammar.isEnd()) {
            isOpen = false;
            if (held.isReadable()) {
                context.channel().config().setAutoRead(false);
            }
            connection.requestEnds();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            isInputEnded = true;
            if (isDiscarding || isOpen) {
                connection.inputEnded();
            }
            return;
        }
        if (!(event instanceof ChannelInputShutdownReadComplete)) {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        isDiscarding = true;
        connection.closed();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        release();
    }

    private void release() {
        if (!isPassing) {
            held.release();
            held = Unpooled.EMPTY_BUFFER;
        }
    }
}
