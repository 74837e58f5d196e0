package io.cleave.wire;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.Surrogates;

import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.YdbIssueMessage.IssueMessage;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Statuses, issues, and the operation envelope of most replies.
final class Replies {
    private Replies() {}

    static StatusCode status(Status status) {
        return StatusCode.forNumber(status.code());
    }

    static List<IssueMessage> issues(List<Issue> issues) {
        return issues.isEmpty() ? List.of() : issues.stream().map(Replies::issue).toList();
    }

    private static IssueMessage issue(Issue issue) {
        var message =
                IssueMessage.newBuilder()
                        .setMessage(Surrogates.replaced(issue.message()))
                        .setIssueCode(issue.code())
                        .setSeverity(severity(issue.severity()))
                        .addAllIssues(issues(issue.causes()));
        issue.position()
                .ifPresent(
                        at -> {
                            message.getPositionBuilder().setRow(at.row()).setColumn(at.column());
                            message.getEndPositionBuilder().setRow(at.row()).setColumn(at.column());
                        });
        return message.build();
    }

    private static int severity(Issue.Severity severity) {
        return switch (severity) {
            case FATAL -> 0;
            case ERROR -> 1;
            case WARNING -> 2;
            case INFO -> 3;
        };
    }

    static Operation failed(Failure failure) {
        var operation = Operation.newBuilder().setReady(true);
        fail(operation, failure);
        return operation.build();
    }

    /// Gives the operation the status and the issues of the failure.
    static void fail(Operation.Builder operation, Failure failure) {
        operation.setStatus(status(failure.status())).addAllIssues(issues(failure.issues()));
    }

    /// Makes replies that carry their status themselves.
    static <R extends Message> Function<Failure, R> failing(R empty) {
        return failure -> failed(empty, failure);
    }

    /// A reply with the fields `status` and `issues`, which all replies without an operation have.
    @SuppressWarnings("unchecked") // the builder makes messages of the type of `empty`
    static <R extends Message> R failed(R empty, Failure failure) {
        Message.Builder reply = empty.newBuilderForType();
        Descriptor fields = empty.getDescriptorForType();
        reply.setField(
                fields.findFieldByName("status"), status(failure.status()).getValueDescriptor());
        reply.setField(fields.findFieldByName("issues"), issues(failure.issues()));
        return (R) reply.build();
    }

    static Operation succeeded(Done done) {
        var operation =
                Operation.newBuilder()
                        .setReady(true)
                        .setStatus(StatusCode.SUCCESS)
                        .addAllIssues(issues(done.issues()));
        done.result().ifPresent(result -> operation.setResult(Any.pack(result)));
        return operation.build();
    }

    /// The outcome of a successful operation.
    record Done(Optional<Message> result, List<Issue> issues) {
        static final Done NOTHING = new Done(Optional.empty(), List.of());

        static Done of(Message result) {
            return new Done(Optional.of(result), List.of());
        }

        static Done of(Message result, List<Issue> issues) {
            return new Done(Optional.of(result), issues);
        }

        static Done saying(List<Issue> issues) {
            return new Done(Optional.empty(), issues);
        }
    }
}
