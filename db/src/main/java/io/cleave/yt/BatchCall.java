package io.cleave.yt;

import io.cleave.access.Caller;
import io.cleave.query.Cancellation;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.AnswerShape;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.RowOutput;

import java.util.Optional;

/// A call within a batch. Its input and its answer are values.
final class BatchCall implements CommandCall {
    private final CommandCall batch;
    private final CommandParameters parameters;
    private final Optional<YsonNode> input;
    private Optional<YsonNode> answer = Optional.empty();

    BatchCall(CommandCall batch, CommandParameters parameters, Optional<YsonNode> input) {
        this.batch = batch;
        this.parameters = parameters;
        this.input = input;
    }

    Optional<YsonNode> answered() {
        return answer;
    }

    @Override
    public CommandParameters parameters() {
        return parameters;
    }

    @Override
    public Caller caller() {
        return batch.caller();
    }

    @Override
    public Cancellation cancellation() {
        return batch.cancellation();
    }

    @Override
    public int apiVersion() {
        return batch.apiVersion();
    }

    @Override
    public YsonNode input() {
        return input.orElseThrow(
                () -> new YtException(YtCodes.GENERIC, "Missing required parameter /input"));
    }

    @Override
    public RowInput inputRows() {
        throw noRows();
    }

    @Override
    public void answer(YsonNode value) {
        answer = Optional.of(value);
    }

    @Override
    public void answer(String name, YsonNode value) {
        answer(AnswerShape.named(this, name, value));
    }

    @Override
    public boolean tryHold(long bytes) {
        return false;
    }

    @Override
    public RowOutput outputRows() {
        throw noRows();
    }

    private static YtException noRows() {
        return new YtException(YtCodes.GENERIC, "Rows cannot be part of a batch");
    }

    @Override
    public void responseParameter(String name, YsonNode value) {
        // The answer of a batch has no place for response parameters.
    }
}
