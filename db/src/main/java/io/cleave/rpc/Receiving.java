package io.cleave.rpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/// The request of one call: messages that are arriving, being parsed, or waiting for the handler,
/// and their memory.
///
/// Threads: only the connection's, except for the methods that [Parsing] calls.
final class Receiving<Q> {
    /// A request of one message up to this size is not counted if it comes with the end of its
    /// stream: the handler runs at once, and only few run at a time.
    private static final int FREE_BYTES = 4 << 10;

    /// Estimated memory of a message that waits to be parsed elsewhere, in addition to its bytes.
    private static final int WAITING_BYTES = 128;

    /// A message that grows by less than this between two checks is too slow.
    private static final int LEAST_PACE_BYTES = 16 << 10;

    private final Connection connection;
    private final int stream;
    private final RequestHead head;
    private final MessageEncoding encoding;
    private final RequestMarshaller<Q> marshaller;
    private final boolean oneMessage;
    private final Events<Q> events;
    private final MessageAssembly assembly;

    /// How many more messages the handler accepts.
    private int requested;

    private @Nullable ArrayDeque<Parsed<Q>> undelivered;

    /// Messages for another thread, which parses them one at a time. The first has been submitted.
    private @Nullable ArrayDeque<Parsing<Q>> unparsed;

    private long dataBytes;
    private int unacknowledgedBytes;

    /// Whether the stream ends with the data that is being read.
    private boolean lastData;

    private boolean delivering;
    private boolean clientEnded;
    private boolean endTold;

    /// Memory of the parsed messages. It is given back when the handler takes a message, or, if the
    /// request has only one message, at the end of the call.
    private long parsedBytes;

    /// Size of the incomplete message at the last check of its pace.
    private int paceBytes;

    private boolean slow;

    /// What the call is told.
    interface Events<Q> {
        /// Whether the call still accepts messages.
        boolean isOpen();

        void message(Q message);

        void halfClosed();

        /// Runs work that may fail because of the request or the handler, and closes the call if it
        /// does.
        void guarded(Runnable work);
    }

    /// A parsed message and its memory.
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

    /// Whether the client has sent everything.
    boolean hasEnded() {
        return clientEnded;
    }

    /// Fails if the stream has ended already.
    void checkMore() throws ProtocolException {
        if (clientEnded) {
            throw ProtocolException.ofStream(
                    Frames.STREAM_CLOSED, stream, "something after the end of a stream");
        }
    }

    /// The data of a frame. `frameBytes` is what the frame uses of the stream's window, and `end`
    /// says whether the stream ends with it.
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

    /// Lets the client send more, unless messages wait to be parsed or to be taken by the handler.
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
        } else if (oneMessage && unparsed != null) {
            // The handler would refuse it with the same words, but only after the first is parsed.
            memory().give(heldBytes);
            throw Status.INTERNAL.withDescription("Too many requests").asRuntimeException();
        } else if (packed || bytes.length > RequestMemory.SMALL_BYTES || unparsed != null) {
            parseElsewhere(bytes, packed, heldBytes);
        } else {
            parseHere(bytes, heldBytes);
        }
    }

    private void parseHere(byte[] bytes, int heldBytes) {
        long needed = 0;
        try {
            if (!oneMessage || !lastData || bytes.length > FREE_BYTES) {
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
        int unpackedBytes = Parsing.NOT_PACKED;
        int more = WAITING_BYTES + (heldBytes == 0 ? bytes.length : 0);
        try {
            if (packed) {
                unpackedBytes =
                        encoding.unpackedBytes(bytes, connection.limits().maxMessageBytes());
            }
            // However small it is, it may wait for long, and leaves room for others like a large
            // one.
            memory().take(more, true);
        } catch (StatusRuntimeException refused) {
            memory().give(heldBytes);
            throw refused;
        }
        var parsing = new Parsing<>(this, bytes, unpackedBytes, heldBytes + more);
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
                            "Too many large or compressed requests wait to be parsed; the limit is "
                                    + ParsingThreads.MAX_WAITING)
                    .asRuntimeException();
        }
    }

    /// Called on the parsing thread when it has parsed the message, or failed to.
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

    /// Gives back the memory of a delivered message. If the request has only one message, the
    /// handler keeps it until it has answered, and the end of the call gives the memory back. After
    /// the end of a call, there is nothing left to give back.
    private void taken(long bytes) {
        if (bytes > 0 && !oneMessage && events.isOpen()) {
            parsedBytes -= bytes;
            memory().give(bytes);
        }
    }

    /// The handler accepts this many more messages.
    void request(int count) {
        requested = (int) Math.min(Integer.MAX_VALUE, requested + (long) count);
        if (undelivered != null) {
            deliver();
            acknowledge();
        }
    }

    /// The client has sent everything.
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

    /// Not reentrant: if a handler requests more while it takes a message, it gets it afterwards.
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

    /// Refuses a message that was too slow at this check and at the one before.
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
                            "A message arrived too slowly: %d bytes have arrived, and fewer than %d since the last check"
                                    .formatted(bytes, LEAST_PACE_BYTES)));
        }
    }

    private void refuse(Status status) {
        events.guarded(
                () -> {
                    throw status.asRuntimeException();
                });
    }

    /// Stops receiving and gives all memory back.
    void discard() {
        assembly.discard();
        memory().give(parsedBytes);
        parsedBytes = 0;
        undelivered = null;
        if (unparsed != null) {
            // The first one is on a parsing thread, which gives back its memory.
            unparsed.remove();
            unparsed.forEach(Parsing::discard);
            unparsed = null;
        }
    }

    /// Whether a message is still wanted. Any thread may call this.
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
