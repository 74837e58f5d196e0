package io.cleave.yt.command;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.base.Env;
import io.cleave.base.SystemEnv;
import io.cleave.query.Cancellation;
import io.cleave.value.YsonNode;
import io.cleave.value.YsonWriter;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.RowOutput;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// A call without HTTP, for tests of commands: parameters, input and rows are given as YSON text,
/// and so is the answer.
///
/// ```java
/// FakeCall call = FakeCall.of("{path=\"//t\"}").withRows("{k=1;v=a};{k=2}");
/// command.run(call);
/// assertEquals("{}", call.answered());
/// ```
public final class FakeCall implements CommandCall {
    private final CommandParameters parameters;
    private final Caller caller;
    private final Cancellation cancellation;
    private final int apiVersion;
    private final Optional<YsonNode> input;
    private final Optional<RowInput> rows;
    private final SequencedMap<Bytes, YsonNode> responseParameters = new LinkedHashMap<>();
    private Optional<YsonNode> answer = Optional.empty();
    private Optional<TextRows> rowsOut = Optional.empty();
    private boolean mayWait = true;

    private FakeCall(
            CommandParameters parameters,
            Caller caller,
            Cancellation cancellation,
            int apiVersion,
            Optional<YsonNode> input,
            Optional<RowInput> rows) {
        this.parameters = parameters;
        this.caller = caller;
        this.cancellation = cancellation;
        this.apiVersion = apiVersion;
        this.input = input;
        this.rows = rows;
    }

    /// A call with these parameters, such as `{path="//a"}`.
    public static FakeCall of(String parameters) {
        return of(new SystemEnv(), parameters);
    }

    public static FakeCall of(Env env, String parameters) {
        return new FakeCall(
                new CommandParameters((YsonNode.Members) yson(parameters)),
                Caller.IN_PROCESS,
                Cancellation.byDefault(env),
                4,
                Optional.empty(),
                Optional.empty());
    }

    /// Runs the command with these parameters, and returns what it answered, as [#answered] or
    /// [#rowsAnswered] would, or the error as `error CODE: message`.
    public static String run(Command command, String parameters) {
        return of(parameters).runs(command);
    }

    public FakeCall by(Caller other) {
        return new FakeCall(parameters, other, cancellation, apiVersion, input, rows);
    }

    public FakeCall inVersion(int version) {
        return new FakeCall(parameters, caller, cancellation, version, input, rows);
    }

    public FakeCall until(Cancellation other) {
        return new FakeCall(parameters, caller, other, apiVersion, input, rows);
    }

    /// The call with an input of one value.
    public FakeCall withInput(String value) {
        return new FakeCall(
                parameters, caller, cancellation, apiVersion, Optional.of(yson(value)), rows);
    }

    /// The call with rows, such as `{k=1};{k=2}`.
    public FakeCall withRows(String fragment) {
        return new FakeCall(
                parameters,
                caller,
                cancellation,
                apiVersion,
                input,
                Optional.of(new TextRowInput(fragment)));
    }

    /// Runs the command. Returns the answer as text, or the error as `error CODE: message`, with
    /// one more line for each inner error.
    public String runs(Command command) {
        try {
            command.run(this);
        } catch (YtException e) {
            return shown(e.error(), "error ");
        }
        return answer.isPresent() || rowsOut.isEmpty() ? answered() : rowsAnswered();
    }

    /// Runs the command as on a network thread. Empty if it needs a thread of its own.
    public Optional<String> runsPrompt(Command command) {
        mayWait = false;
        try {
            return Optional.of(runs(command));
        } catch (NeedsThreadException _) {
            return Optional.empty();
        }
    }

    private static String shown(YtError error, String before) {
        var text = new StringBuilder(before + error.code() + ": " + error.message());
        for (YtError inner : error.innerErrors()) {
            text.append('\n').append(shown(inner, "  by ").replace("\n", "\n  "));
        }
        return text.toString();
    }

    /// The answer as YSON text on one line; empty if there was none.
    public String answered() {
        return answer.map(FakeCall::text).orElse("");
    }

    public Optional<YsonNode> answeredNode() {
        return answer;
    }

    /// The rows of the answer as YSON text, one line for each row; `#` is a row that was asked for
    /// and does not exist. Names without special characters stand without quotes.
    public String rowsAnswered() {
        return rowsOut.map(TextRows::text).orElse("");
    }

    /// Values beside the rows, as YSON text.
    public String responseParameters() {
        return text(new YsonNode.Members(responseParameters));
    }

    @Override
    public CommandParameters parameters() {
        return parameters;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public boolean mayWait() {
        return mayWait;
    }

    @Override
    public int apiVersion() {
        return apiVersion;
    }

    @Override
    public YsonNode input() {
        return input.orElseThrow();
    }

    @Override
    public RowInput inputRows() {
        return rows.orElseThrow();
    }

    @Override
    public void answer(YsonNode value) {
        answer = Optional.of(value);
    }

    @Override
    public void answer(String name, YsonNode value) {
        if (apiVersion == 3 || parameters.flag("return_only_value", false)) {
            answer(value);
            return;
        }
        var members = new LinkedHashMap<Bytes, YsonNode>();
        members.put(Bytes.utf8(name), value);
        answer(new YsonNode.Members(members));
    }

    @Override
    public boolean tryHold(long bytes) {
        return true;
    }

    @Override
    public RowOutput outputRows() {
        var out = new TextRows();
        rowsOut = Optional.of(out);
        return out;
    }

    @Override
    public void responseParameter(String name, YsonNode value) {
        responseParameters.put(Bytes.utf8(name), value);
    }

    /// Parses YSON text that a test has written.
    public static YsonNode yson(String text) {
        return YsonNode.parse(Bytes.utf8(text))
                .orElseThrow(() -> new IllegalArgumentException("not YSON: " + text));
    }

    /// YSON text on one line.
    public static String text(YsonNode node) {
        return YsonWriter.write(node, YsonWriter.Format.TEXT).utf8();
    }
}
