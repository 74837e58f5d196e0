package io.cleave.wire;

import com.google.protobuf.Any;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.index.IndexBuilds;
import io.cleave.query.CallerDatabase;
import io.cleave.wire.scheme.TableIndexes;
import io.cleave.wire.value.RequestParts;

import tech.ydb.proto.OperationProtos.ListOperationsResponse;
import tech.ydb.proto.OperationProtos.Operation;
import tech.ydb.proto.StatusCodesProtos.StatusIds.StatusCode;
import tech.ydb.proto.table.YdbTable.IndexBuildMetadata;
import tech.ydb.proto.table.YdbTable.IndexBuildState;

import java.util.List;

/// Index builds, as the long-running operations of OperationService.
final class BuildOperations {
    static final String KIND = "buildindex";

    /// The next-page token of the last page; on the wire.
    private static final String NO_MORE = "0";

    private static final String ID_PREFIX = "ydb://buildindex/7?id=";
    private static final int DEFAULT_PAGE = 10;

    private BuildOperations() {}

    static boolean isOne(String id) {
        return id.startsWith(ID_PREFIX);
    }

    static Operation get(CallerDatabase caller, String id) {
        return operation(builds(caller).get(number(id)));
    }

    static void cancel(CallerDatabase caller, String id) {
        builds(caller).cancel(number(id));
    }

    static void forget(CallerDatabase caller, String id) {
        builds(caller).forget(number(id));
    }

    /// The token of a page is the number of operations before it.
    static void list(
            CallerDatabase caller,
            long pageSize,
            String token,
            ListOperationsResponse.Builder reply) {
        List<IndexBuilds.Info> all = caller.indexBuilds().map(IndexBuilds::list).orElse(List.of());
        long from = token.isEmpty() ? 0 : parsed(token, "page token");
        long size = pageSize <= 0 ? DEFAULT_PAGE : pageSize;
        all.stream().skip(from).limit(size).forEach(info -> reply.addOperations(operation(info)));
        reply.setNextPageToken(from + size < all.size() ? String.valueOf(from + size) : NO_MORE);
    }

    private static Operation operation(IndexBuilds.Info info) {
        var metadata =
                IndexBuildMetadata.newBuilder()
                        .setState(
                                switch (info.state()) {
                                    case PREPARING -> IndexBuildState.State.STATE_PREPARING;
                                    case TRANSFERING_DATA ->
                                            IndexBuildState.State.STATE_TRANSFERING_DATA;
                                    case APPLYING -> IndexBuildState.State.STATE_APPLYING;
                                    case DONE -> IndexBuildState.State.STATE_DONE;
                                    case CANCELLATION -> IndexBuildState.State.STATE_CANCELLATION;
                                    case CANCELLED -> IndexBuildState.State.STATE_CANCELLED;
                                    case REJECTION -> IndexBuildState.State.STATE_REJECTION;
                                    case REJECTED -> IndexBuildState.State.STATE_REJECTED;
                                })
                        .setProgress(info.progress());
        metadata.getDescriptionBuilder()
                .setPath(info.tablePath())
                .setIndex(TableIndexes.request(info.index()));
        var operation =
                Operation.newBuilder()
                        .setId(ID_PREFIX + info.id())
                        .setReady(info.state().isOver())
                        .setStatus(StatusCode.SUCCESS)
                        .setMetadata(Any.pack(metadata.build()));
        info.failure().ifPresent(e -> Replies.fail(operation, Failure.of(e)));
        return operation.build();
    }

    private static IndexBuilds builds(CallerDatabase caller) {
        return caller.indexBuilds()
                .orElseThrow(
                        () ->
                                new StatusException(
                                        Status.NOT_FOUND, "This database does not build indexes"));
    }

    private static long number(String id) {
        return parsed(id.substring(ID_PREFIX.length()), "operation id");
    }

    private static long parsed(String text, String what) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException _) {
            throw RequestParts.bad("Invalid " + what + ": " + text);
        }
    }
}
