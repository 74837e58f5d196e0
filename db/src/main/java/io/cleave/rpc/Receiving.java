package io.cleave.rpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/// The request of one call: what of it has come, is being parsed, and waits for its handler, and
/// the memory that it takes meanwhile.
///
/// Threads: the connection's, but for what [Parsing] calls.
final class Receiving<Q> {
    /// A message of so many bytes that comes with the end of its stream is not counted: its handler
    /// runs at once, and there are few of those at a time.
    private static final int FREE_BYTES = 4 << 10;

    /// Less of a message between two looks at it is too little.
    private static final int LEAST_PACE_BYTES = 16 << 10;

    private final Connection connection;
    private final int stream;
    private final RequestHead head;
    private final MessageEncoding encoding;
    private final RequestMarshaller<Q> marshaller;
    private final boolean oneMessage;
    private final Events<Q> events;
    private final MessageAssembly assembly;

    /// Messages that the handler is ready for.
    private int requested;

    private @Nullable ArrayDeque<Parsed<Q>> undelivered;

    /// Messages that are parsed by another thread, one after the other; the first is on its way.
    private @Nullable ArrayDeque<Parsing<Q>> unparsed;

    private long dataBytes;
    private int unacknowledgedBytes;

    /// Whether the stream ends with the data that is being read.
    private boolean lastData;

    private boolean delivering;
    private boolean clientEnded;
    private boolean endTold;

    /// What messages take that were parsed; given back when they are taken, or with the call if its
    /// handler keeps the only one.
    private long parsedBytes;

    /// Of the message that is not whole, when it was last looked at.
    private int paceBytes;

    private boolean slow;

    /// What a call is told.
    interface Events<Q> {
        /// Whether there is somebody to be told, still.
        boolean isOpen();

        void message(Q message);

        void halfClosed();

        /// Does what may fail because of the request or of the handler, and closes the call if it
        /// does.
        void guarded(Runnable work);
    }

    /// A message that was parsed, and what it takes.
    private record Parsed<Q>(Q message, long bytes) {}

    Receiving(
            Connection connection,
            int stream,
            BoundMethod<Q, ?> method,
            RequestHead head,
            MessageEncoding encoding,
            Events<Q> events) {
        this.connection = connection;
        this.stream = stream;
        this.head = head;
        this.encoding = encoding;
        this.marshaller = method.marshaller();
        this.oneMessage =
                method.definition().getMethodDescriptor().getType().clientSendsOneMessage();
        this.events = events;
        this.assembly =
                new MessageAssembly(connection.limits().maxMessageBytes(), connection.arriving());
    }

    /// Whether the client has sent all.
    boolean hasEnded() {
        return clientEnded;
    }

    /// Nothing follows the end of a stream.
    void checkMore() throws ProtocolException {
        if (clientEnded) {
            throw ProtocolException.ofStream(
                    Frames.STREAM_CLOSED, stream, "something after the end of a stream");
        }
    }

    /// A frame's data; `frameBytes` is what it has taken of the stream's window, and `end` whether
    /// the stream ends with it.
    void data(ByteBuf data, int frameBytes, boolean end) throws ProtocolException {
        checkMore();
        unacknowledgedBytes += frameBytes;
        if (unacknowledgedBytes > connection.limits().windowBytes()) {
            throw ProtocolException.ofStream(
                    Frames.FLOW_CONTROL_ERROR, stream, "more data than the stream's window");
        }
        dataBytes += data.readableBytes();
        if (head.contentLength() >= 0 && dataBytes > head.contentLength()) {
            throw wrongLength();
        }
        lastData = end;
        events.guarded(() -> assembly.add(data, this::message));
        acknowledge();
    }

    /// Lets the client send more, unless it waits for a service to take what there is.
    private void acknowledge() {
        if (events.isOpen()
                && undelivered == null
                && unparsed == null
                && unacknowledgedBytes >= connection.limits().windowBytes() / 2) {
            connection.outbox().windowUpdate(stream, unacknowledgedBytes);
            unacknowledgedBytes = 0;
        }
    }

    private void message(byte[] bytes, boolean packed, int heldBytes) {
        connection.arriving().handOver(heldBytes);
        if (!events.isOpen()) {
            memory().give(heldBytes);
        } else if (packed || bytes.length > RequestMemory.SMALL_BYTES || unparsed != null) {
            parseElsewhere(bytes, packed, heldBytes);
        } else {
            parseHere(bytes, heldBytes);
        }
    }

    private void parseHere(byte[] bytes, int heldBytes) {
        long needed = 0;
        try {
            if (!lastData || bytes.length > FREE_BYTES) {
                needed = marshaller.parsedBytes(bytes);
                memory().take(needed, false);
                parsedBytes += needed;
            }
            deliver(marshaller.parse(bytes), needed);
        } finally {
            memory().give(heldBytes);
        }
    }

    private void parseElsewhere(byte[] bytes, boolean packed, int heldBytes) {
        int held = heldBytes;
        int unpackedBytes = Parsing.NOT_PACKED;
        try {
            if (packed) {
                unpackedBytes =
                        encoding.unpackedBytes(bytes, connection.limits().maxMessageBytes());
            }
        } catch (StatusRuntimeException refused) {
            memory().give(held);
            throw refused;
        }
        if (held == 0) {
            memory().take(bytes.length, bytes.length > RequestMemory.SMALL_BYTES);
            held = bytes.length;
        }
        var parsing = new Parsing<>(this, bytes, unpackedBytes, held);
        if (unparsed == null) {
            submit(parsing);
            unparsed = new ArrayDeque<>();
        }
        unparsed.add(parsing);
    }

    private void submit(Parsing<Q> parsing) {
        if (!connection.parsing().submit(connection, parsing)) {
            parsing.discard();
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "Large or packed requests that wait to be parsed are too many, the"
                                    + " limit is "
                                    + ParsingThreads.MAX_WAITING)
                    .asRuntimeException();
        }
    }

    /// The first message of those on another thread is parsed, or has failed. Called there.
    void parsedElsewhere(Parsing<Q> done) {
        connection.later(() -> events.guarded(() -> takeParsed(done)));
    }

    private void takeParsed(Parsing<Q> done) {
        ArrayDeque<Parsing<Q>> others = unparsed;
        if (others == null || !events.isOpen()) {
            memory().give(done.parsedBytes());
            return;
        }
        others.remove();
        parsedBytes += done.parsedBytes();
        Parsing<Q> next = others.peek();
        if (next == null) {
            unparsed = null;
        } else {
            submit(next);
        }
        deliver(done.parsed(), done.parsedBytes());
        deliver();
        acknowledge();
    }

    private void deliver(Q message, long bytes) {
        if (requested > 0 && undelivered == null) {
            requested--;
            events.message(message);
            taken(bytes);
            return;
        }
        if (undelivered == null) {
            undelivered = new ArrayDeque<>();
        }
        undelivered.add(new Parsed<>(message, bytes));
    }

    /// A handler that gets one message keeps it until it has answered. The end of a call has given
    /// everything back.
    private void taken(long bytes) {
        if (bytes > 0 && !oneMessage && events.isOpen()) {
            parsedBytes -= bytes;
            memory().give(bytes);
        }
    }

    /// The handler is ready for so many messages more.
    void request(int count) {
        requested = (int) Math.min(Integer.MAX_VALUE, requested + (long) count);
        if (undelivered != null) {
            deliver();
            acknowledge();
        }
    }

    /// The client has sent all.
    void halfClose() throws ProtocolException {
        clientEnded = true;
        if (head.contentLength() >= 0 && dataBytes != head.contentLength()) {
            throw wrongLength();
        }
        if (!events.isOpen()) {
            return;
        }
        if (assembly.isWithinMessage()) {
            refuse(Status.INTERNAL.withDescription("Encountered end-of-stream mid-frame"));
            return;
        }
        deliver();
    }

    private ProtocolException wrongLength() {
        return ProtocolException.ofStream(
                Frames.PROTOCOL_ERROR, stream, "content-length is not the length of the data");
    }

    /// A service that asks for more while it takes a message gets it afterwards.
    private void deliver() {
        if (delivering) {
            return;
        }
        delivering = true;
        events.guarded(this::deliverWaiting);
        delivering = false;
    }

    private void deliverWaiting() {
        while (undelivered != null && requested > 0 && events.isOpen()) {
            Parsed<Q> next = undelivered.poll();
            if (next == null) {
                undelivered = null;
            } else {
                requested--;
                events.message(next.message());
                taken(next.bytes());
            }
        }
        boolean delivered = undelivered == null && unparsed == null;
        if (delivered && clientEnded && !endTold && events.isOpen()) {
            endTold = true;
            events.halfClosed();
        }
    }

    /// Gives up a message that hardly grew since this was last called, and the time before.
    void checkPace() {
        boolean waits = assembly.isWithinMessage() && undelivered == null && unparsed == null;
        int bytes = assembly.bodyBytes();
        boolean grew = bytes < paceBytes || bytes - paceBytes >= LEAST_PACE_BYTES;
        paceBytes = bytes;
        if (!waits || grew) {
            slow = false;
        } else if (!slow) {
            slow = true;
        } else {
            refuse(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "A message came too slowly: %d bytes are there, and less than %d came in time"
                                    .formatted(bytes, LEAST_PACE_BYTES)));
        }
    }

    private void refuse(Status status) {
        events.guarded(
                () -> {
                    throw status.asRuntimeException();
                });
    }

    /// Nothing more is received; all memory is given back.
    void discard() {
        assembly.discard();
        memory().give(parsedBytes);
        parsedBytes = 0;
        undelivered = null;
        if (unparsed != null) {
            // The first is with another thread, which gives back what it has.
            unparsed.remove();
            unparsed.forEach(Parsing::discard);
            unparsed = null;
        }
    }

    /// Whether a message is still wanted. Any thread may ask.
    boolean isOpen() {
        return events.isOpen();
    }

    RequestMemory memory() {
        return connection.memory();
    }

    RequestMarshaller<Q> marshaller() {
        return marshaller;
    }

    MessageEncoding encoding() {
        return encoding;
    }
}
