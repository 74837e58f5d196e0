package io.cleave.http;

import io.cleave.base.Check;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;

/// Finds the end of a request, byte by byte, strictly according to RFC 9112. Everything that other
/// parsers could read differently is refused: lines that end without CR, folded headers, spaces
/// before a colon, control characters, chunk extensions, trailers. So an attacker cannot make a
/// proxy see another request than this server does (request smuggling).
///
/// [#read] stops at the end of the headers. The caller, who has interpreted the headers, then calls
/// [#expectBody] or [#expectChunks].
final class RequestGrammar {
    /// Chunks with a longer size are refused, so that the size cannot overflow.
    private static final int MAX_SIZE_DIGITS = 7;

    /// The bytes are copied in steps of this size, because it is slow to read them one by one from
    /// a buffer.
    private static final int STEP_BYTES = 256;

    private static final boolean[] TOKENS = tokens();

    private final HttpLimits limits;
    private final byte[] step = new byte[STEP_BYTES];
    private State state = State.METHOD;
    private int lineBytes;
    private int headerBytes;
    private int headers;
    private long remaining;
    private long bodyLimit;
    private long bodyBytes;
    private int sizeDigits;

    RequestGrammar(HttpLimits limits) {
        this.limits = limits;
    }

    private enum State {
        METHOD,
        TARGET,
        VERSION,
        LINE_LF,
        LINE_START,
        NAME,
        VALUE,
        HEAD_LF,
        HEAD_END,
        BODY,
        SIZE,
        SIZE_LF,
        CHUNK,
        CHUNK_CR,
        CHUNK_LF,
        LAST_CR,
        LAST_LF,
        END
    }

    /// Reads and checks bytes. Returns how many of them belong to the current part, which is the
    /// head or the body.
    int read(ByteBuf bytes) throws BadRequestException {
        int from = bytes.readerIndex();
        int to = bytes.writerIndex();
        int at = from;
        while (at < to && !isPartEnd()) {
            if (state == State.BODY || state == State.CHUNK) {
                long taken = Math.min(remaining, to - at);
                at += (int) taken;
                remaining -= taken;
                if (remaining == 0) {
                    state = state == State.BODY ? State.END : State.CHUNK_CR;
                }
            } else {
                int count = Math.min(STEP_BYTES, to - at);
                bytes.getBytes(at, step, 0, count);
                at += readStep(count);
            }
        }
        return at - from;
    }

    /// Reads up to `count` bytes of `step`, as long as each byte has to be checked. Returns the
    /// number of bytes that were read.
    private int readStep(int count) throws BadRequestException {
        int at = 0;
        do {
            state = next(step[at++] & 0xff);
        } while (at < count && state != State.BODY && state != State.CHUNK && !isPartEnd());
        return at;
    }

    private boolean isPartEnd() {
        return state == State.HEAD_END || state == State.END;
    }

    boolean isHeadEnd() {
        return state == State.HEAD_END;
    }

    /// Whether the next byte belongs to the request line or the headers.
    boolean isHead() {
        return state.compareTo(State.HEAD_END) < 0;
    }

    boolean isEnd() {
        return state == State.END;
    }

    /// Whether no byte of a request has arrived yet.
    boolean isStart() {
        return state == State.METHOD && lineBytes == 0;
    }

    /// The headers are followed by a body of this length.
    void expectBody(long length) {
        Check.that(state == State.HEAD_END, "a body after %s", state);
        remaining = length;
        state = length == 0 ? State.END : State.BODY;
    }

    /// The headers are followed by chunks of at most `limit` bytes in total.
    void expectChunks(long limit) {
        Check.that(state == State.HEAD_END, "chunks after %s", state);
        bodyLimit = limit;
        bodyBytes = 0;
        beginSize();
    }

    void nextRequest() {
        state = State.METHOD;
        lineBytes = 0;
        headerBytes = 0;
        headers = 0;
    }

    private State next(int octet) throws BadRequestException {
        return switch (state) {
            case METHOD, TARGET, VERSION -> requestLine(octet);
            case LINE_LF -> expect(octet, '\n', State.LINE_START);
            case LINE_START, NAME, VALUE -> header(octet);
            case HEAD_LF -> expect(octet, '\n', State.HEAD_END);
            case SIZE -> size(octet);
            case SIZE_LF -> expect(octet, '\n', remaining == 0 ? State.LAST_CR : State.CHUNK);
            case CHUNK_CR -> expect(octet, '\r', State.CHUNK_LF);
            case CHUNK_LF -> {
                expect(octet, '\n', State.SIZE);
                beginSize();
                yield State.SIZE;
            }
            case LAST_CR -> {
                if (octet != '\r') {
                    throw bad("trailers after a chunked body are not supported");
                }
                yield State.LAST_LF;
            }
            case LAST_LF -> expect(octet, '\n', State.END);
            case HEAD_END, BODY, CHUNK, END ->
                    throw new IllegalStateException("not read by octets: " + state);
        };
    }

    private State requestLine(int octet) throws BadRequestException {
        lineBytes++;
        if (lineBytes > limits.requestLineBytes()) {
            throw new BadRequestException(
                    414,
                    "the request line is longer than %d bytes; send long parameters in the body"
                            .formatted(limits.requestLineBytes()));
        }
        if (state == State.METHOD) {
            if (octet == ' ' && lineBytes > 1) {
                return State.TARGET;
            }
            if (!isToken(octet)) {
                throw bad("the request line does not begin with a method");
            }
            return State.METHOD;
        }
        if (state == State.TARGET) {
            if (octet == ' ') {
                return State.VERSION;
            }
            if (octet <= ' ' || octet >= 0x7f) {
                throw bad("the request line is not METHOD URI HTTP/1.1");
            }
            return State.TARGET;
        }
        if (octet == '\r') {
            return State.LINE_LF;
        }
        if (octet <= ' ' || octet >= 0x7f) {
            throw bad("the request line is not METHOD URI HTTP/1.1");
        }
        return State.VERSION;
    }

    private State header(int octet) throws BadRequestException {
        headerBytes++;
        if (headerBytes > limits.headerBytes()) {
            throw new BadRequestException(
                    431,
                    "the headers have more than %d bytes; send fewer or shorter ones"
                            .formatted(limits.headerBytes()));
        }
        if (state == State.VALUE) {
            if (octet == '\r') {
                return State.LINE_LF;
            }
            if (octet == '\n') {
                throw bad("a header line ends without CR");
            }
            if ((octet < ' ' && octet != '\t') || octet == 0x7f) {
                throw bad("a header has a control character");
            }
            return State.VALUE;
        }
        if (state == State.LINE_START) {
            if (octet == '\r') {
                return State.HEAD_LF;
            }
            if (octet == ' ' || octet == '\t') {
                throw bad("a header must not span several lines");
            }
            headers++;
            if (headers > limits.headers()) {
                throw new BadRequestException(
                        431, "there are more than %d headers".formatted(limits.headers()));
            }
        } else if (octet == ':') {
            return State.VALUE;
        }
        if (!isToken(octet)) {
            throw bad("a header name contains an invalid character");
        }
        return State.NAME;
    }

    private void beginSize() {
        remaining = 0;
        sizeDigits = 0;
        state = State.SIZE;
    }

    private State size(int octet) throws BadRequestException {
        if (octet == '\r' && sizeDigits > 0) {
            bodyBytes += remaining;
            if (bodyBytes > bodyLimit) {
                throw new BadRequestException(413, RequestCheck.bodyTooLarge(bodyLimit));
            }
            return State.SIZE_LF;
        }
        int digit = octet < 0x7f ? Character.digit(octet, 16) : -1;
        sizeDigits++;
        if (digit < 0 || sizeDigits > MAX_SIZE_DIGITS) {
            throw bad(
                    "a chunk must begin with its length, in at most %d hexadecimal digits"
                            .formatted(MAX_SIZE_DIGITS));
        }
        remaining = remaining * 16 + digit;
        return State.SIZE;
    }

    private static State expect(int octet, char wanted, State then) throws BadRequestException {
        if (octet != wanted) {
            throw bad("a line does not end with CR LF");
        }
        return then;
    }

    private static boolean isToken(int octet) {
        return TOKENS[octet];
    }

    private static boolean[] tokens() {
        boolean[] tokens = new boolean[256];
        for (int octet = 0; octet < 0x7f; octet++) {
            tokens[octet] =
                    (octet >= 'a' && octet <= 'z')
                            || (octet >= 'A' && octet <= 'Z')
                            || (octet >= '0' && octet <= '9')
                            || "!#$%&'*+-.^_`|~".indexOf(octet) >= 0;
        }
        return tokens;
    }

    private static BadRequestException bad(String why) {
        return new BadRequestException(400, why);
    }
}
