package io.cleave.yt;

import io.cleave.access.Caller;
import io.cleave.base.Env;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.http.Answer;
import io.cleave.http.Exchange;
import io.cleave.http.Request;
import io.cleave.memory.MemoryBudget;
import io.cleave.query.Cancellation;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.command.DataType;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.CallMemory;
import io.cleave.yt.format.ContentCoding;
import io.cleave.yt.format.DataFormat;
import io.cleave.yt.format.TreeSize;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Answers a request for a command.
///
/// Threads: any number of requests at once.
final class CommandHandler {
    /// Limit of the response parameters, which are sent in a header. Clients limit the size of
    /// headers.
    private static final int MAX_PARAMETERS_BYTES = 16 << 10;

    private final Env env;
    private final MemoryBudget memory;
    private final CommandTable commands;
    private final CommandRunner runner;
    private final ProxyCallers callers;

    CommandHandler(
            Env env,
            MemoryBudget memory,
            CommandTable commands,
            CommandRunner runner,
            ProxyCallers callers) {
        this.env = env;
        this.memory = memory;
        this.commands = commands;
        this.runner = runner;
        this.callers = callers;
    }

    /// Answers a call on the network thread. Empty if the call needs a thread of its own, or if it
    /// fails: [#handle] then runs it again.
    Optional<Answer> prompt(Request request) {
        CommandTable.Entry found = commands.prompt(request.path());
        if (found == null || request.header("Content-Encoding").isPresent()) {
            return Optional.empty();
        }
        var body = new PromptBody();
        CallMemory requests = CallMemory.ofRequest(memory.requests());
        try (var input = new CallInput(request, ContentCoding.IDENTITY, requests);
                var results = CallMemory.ofAnswer(memory.results())) {
            HttpCall call = call(request, found.version(), found.command(), input, false);
            ContentCoding coding = coding(request);
            call.writeTo(body, coding, results);
            runner.run(found.command(), call, call::answered);
            call.finish();
            return Optional.of(
                    Answer.of(
                            200,
                            call.contentType(),
                            headers(request, call, coding),
                            body.toArray()));
        } catch (RuntimeException | StackOverflowError _) {
            // `handle` runs the command again, and answers the error if it occurs again.
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Answers `/api/vN/name`.
    void handle(Exchange exchange, int version, String name) throws IOException {
        Optional<Command> command = commands.find(version, name);
        if (command.isEmpty()) {
            fail(
                    exchange,
                    404,
                    YtError.of(
                            YtCodes.GENERIC, "Command \"%s\" is not registered".formatted(name)));
            return;
        }
        CommandDescriptor known = command.get().descriptor();
        Request request = exchange.request();
        if (known.isVolatile() && isRead(request) && !request.hasProgramHeader()) {
            // Any web page can make a browser send such a request.
            fail(
                    exchange,
                    403,
                    YtError.of(
                            YtCodes.GENERIC,
                            "Command \"%s\" changes something, so it is not accepted as a %s without a header X-YT-...; use POST or PUT"
                                    .formatted(name, request.method())));
            return;
        }
        Optional<ContentCoding> coding = ContentCoding.find(encoding(request));
        if (coding.isEmpty()) {
            fail(
                    exchange,
                    415,
                    YtError.of(
                            YtCodes.GENERIC,
                            "Content-Encoding \"%s\" is not supported; use gzip, deflate, br, z-zstd_3 or none"
                                    .formatted(encoding(request))));
            return;
        }
        // The memory stays taken until the answer has been sent, or has been handed over.
        try (var input =
                        new CallInput(
                                request, coding.get(), CallMemory.ofRequest(memory.requests()));
                var results = CallMemory.ofAnswer(memory.results())) {
            runGuarded(exchange, version, command.get(), input, results);
        }
    }

    /// Runs the command. Every failure becomes an answer.
    private void runGuarded(
            Exchange exchange, int version, Command command, CallInput input, CallMemory results)
            throws IOException {
        try {
            run(exchange, version, command, input, results);
        } catch (YtException e) {
            failLate(exchange, e.error());
        } catch (StatusException e) {
            failLate(exchange, StatusErrors.of(e));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            // Clients retry a request after status 500, so this failure gets another status.
            failLate(exchange, CommandRunner.internal(command, e).error());
        }
    }

    /// The content coding of the request. Several codings, one applied to the result of another,
    /// are not supported: their joined names match no coding.
    private static String encoding(Request request) {
        return String.join(", ", request.headers("Content-Encoding"));
    }

    private static boolean isRead(Request request) {
        return request.method().equals("GET") || request.method().equals("HEAD");
    }

    private void run(
            Exchange exchange, int version, Command command, CallInput input, CallMemory results)
            throws IOException {
        Request request = exchange.request();
        HttpCall call = call(request, version, command, input, true);
        ContentCoding coding = coding(request);
        exchange.whenClosed(call.cancellation()::cancel);
        var body =
                new AnswerBody(
                        exchange,
                        call.contentType(),
                        () -> headers(request, call, coding),
                        results);
        call.writeTo(body, coding, results);
        runner.run(command, call, call::answered);
        // The change has been made. If its answer is refused here, a repeated request gets the kept
        // answer, and the change is not made again.
        call.answered().ifPresent(answer -> results.take(TreeSize.of(answer)));
        call.finish();
        body.end();
    }

    private HttpCall call(
            Request request, int version, Command command, CallInput input, boolean mayWait) {
        CommandDescriptor known = command.descriptor();
        boolean hasParametersInBody =
                request.method().equals("POST") && known.input() == DataType.NULL;
        CommandParameters parameters =
                CallParameters.of(
                        request, hasParametersInBody ? Optional.of(input) : Optional.empty());
        CallFormats formats = CallFormats.of(request, parameters, known.output());
        Cancellation cancellation = cancellation(known, parameters);
        Caller caller = callers.of(request);
        return new HttpCall(parameters, caller, cancellation, version, formats, input, mayWait);
    }

    /// The encoding of the answer.
    private static ContentCoding coding(Request request) {
        return ContentCoding.choose(String.join(",", request.headers("Accept-Encoding")));
    }

    /// The time limit of a call. Only commands that carry rows can set it with `timeout`. In other
    /// commands this parameter means something else: in `start_transaction` it is the timeout of
    /// the transaction.
    private Cancellation cancellation(CommandDescriptor known, CommandParameters parameters) {
        Duration limit = Cancellation.DEFAULT_LIMIT;
        if (known.isHeavy()) {
            Duration asked =
                    parameters
                            .number("timeout")
                            .filter(millis -> millis > 0)
                            .map(Duration::ofMillis)
                            .orElse(limit);
            limit = asked.compareTo(limit) < 0 ? asked : limit;
        }
        return new Cancellation(env, limit, Status.TIMEOUT);
    }

    private Map<String, String> headers(Request request, HttpCall call, ContentCoding coding) {
        Map<String, String> headers = common(request);
        if (!coding.isIdentity()) {
            headers.put("Content-Encoding", coding.name());
        }
        call.responseParameters()
                .map(DataFormat.YSON_TEXT::writeValue)
                .filter(text -> text.length() <= MAX_PARAMETERS_BYTES)
                .ifPresent(
                        text ->
                                headers.put(
                                        "X-YT-Response-Parameters",
                                        new String(text.array(), StandardCharsets.ISO_8859_1)));
        return headers;
    }

    private Map<String, String> common(Request request) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-YT-Request-Id", requestId());
        headers.put("X-YT-Proxy", ServiceRequests.host(request));
        return headers;
    }

    private String requestId() {
        var random = env.random();
        return Integer.toHexString(random.nextInt())
                + '-'
                + Integer.toHexString(random.nextInt())
                + '-'
                + Integer.toHexString(random.nextInt())
                + '-'
                + Integer.toHexString(random.nextInt());
    }

    /// Answers with the error of a command. If part of the answer has been sent, the client gets
    /// the error in trailers.
    private void failLate(Exchange exchange, YtError error) {
        if (exchange.isAnswered()) {
            exchange.fail(ErrorAnswer.headers(error));
        } else {
            fail(exchange, 400, error);
        }
    }

    void fail(Exchange exchange, int status, YtError error) {
        Answer answer = ErrorAnswer.of(status, error);
        Map<String, String> headers = common(exchange.request());
        headers.putAll(answer.headers());
        exchange.answer(new Answer(status, answer.contentType(), headers, answer.content()));
    }
}
