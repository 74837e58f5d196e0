package io.cleave.yt;

import io.cleave.access.Caller;
import io.cleave.base.Bytes;
import io.cleave.query.Cancellation;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.AnswerShape;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.format.CallMemory;
import io.cleave.yt.format.ContentCoding;
import io.cleave.yt.format.EncodedRowOutput;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.RowOutput;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// A call that came over HTTP. Rows of the answer are sent while the command runs; a value is sent
/// when the command has ended.
final class HttpCall implements CommandCall {
    private final CommandParameters parameters;
    private final Caller caller;
    private final Cancellation cancellation;
    private final int apiVersion;
    private final CallFormats formats;
    private final CallInput input;
    private final boolean mayWait;
    private final SequencedMap<Bytes, YsonNode> responseParameters = new LinkedHashMap<>();
    private Optional<YsonNode> answer = Optional.empty();
    private @Nullable EncodedRowOutput rows;
    private @Nullable OutputStream packed;
    private OutputStream target = OutputStream.nullOutputStream();
    private ContentCoding coding = ContentCoding.IDENTITY;
    private CallMemory results = CallMemory.unlimited();

    HttpCall(
            CommandParameters parameters,
            Caller caller,
            Cancellation cancellation,
            int apiVersion,
            CallFormats formats,
            CallInput input,
            boolean mayWait) {
        this.parameters = parameters;
        this.caller = caller;
        this.cancellation = cancellation;
        this.apiVersion = apiVersion;
        this.formats = formats;
        this.input = input;
        this.mayWait = mayWait;
    }

    /// Sets where the answer is written, how it is packed, and which memory it takes.
    void writeTo(OutputStream body, ContentCoding packing, CallMemory memory) {
        target = body;
        coding = packing;
        results = memory;
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
        return input.value(formats.input());
    }

    @Override
    public RowInput inputRows() {
        return input.rows(formats.input());
    }

    @Override
    public void answer(YsonNode value) {
        answer = Optional.of(value);
    }

    @Override
    public boolean tryHold(long bytes) {
        return results.tryTake(bytes);
    }

    @Override
    public void answer(String name, YsonNode value) {
        answer(AnswerShape.named(this, name, value));
    }

    @Override
    public RowOutput outputRows() {
        if (rows == null) {
            try {
                rows = formats.output().rowOutput(packed());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return rows;
    }

    private OutputStream packed() throws IOException {
        if (packed == null) {
            packed = coding.encode(target);
        }
        return packed;
    }

    @Override
    public void responseParameter(String name, YsonNode value) {
        responseParameters.put(Bytes.utf8(name), value);
    }

    /// The response parameters, which are sent beside the rows; empty if there are none.
    Optional<YsonNode> responseParameters() {
        return responseParameters.isEmpty()
                ? Optional.empty()
                : Optional.of(new YsonNode.Members(responseParameters));
    }

    String contentType() {
        return formats.contentType();
    }

    /// The value that the command has answered; empty if it has not answered with a value.
    Optional<YsonNode> answered() {
        return answer;
    }

    /// Writes the rest of the answer.
    void finish() throws IOException {
        if (rows != null) {
            rows.finish();
        } else if (answer.isPresent()) {
            formats.output().writeValue(answer.get(), packed());
        } else {
            var _ = packed();
        }
        if (packed != null) {
            packed.close();
        }
    }
}
