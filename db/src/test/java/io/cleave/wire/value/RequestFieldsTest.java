package io.cleave.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;

import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.cluster.Bundles;
import io.cleave.wire.value.RequestFields.Use;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;

import org.junit.jupiter.api.Test;

import tech.ydb.proto.OperationProtos.OperationParams;
import tech.ydb.proto.auth.v1.AuthServiceGrpc;
import tech.ydb.proto.cms.v1.CmsServiceGrpc;
import tech.ydb.proto.discovery.v1.DiscoveryServiceGrpc;
import tech.ydb.proto.monitoring.v1.MonitoringServiceGrpc;
import tech.ydb.proto.operation.v1.OperationServiceGrpc;
import tech.ydb.proto.query.YdbQuery;
import tech.ydb.proto.query.YdbQuery.ExecuteQueryRequest;
import tech.ydb.proto.query.v1.QueryServiceGrpc;
import tech.ydb.proto.scheme.v1.SchemeServiceGrpc;
import tech.ydb.proto.scripting.v1.ScriptingServiceGrpc;
import tech.ydb.proto.table.YdbTable;
import tech.ydb.proto.table.YdbTable.BulkUpsertRequest;
import tech.ydb.proto.table.YdbTable.ColumnMeta;
import tech.ydb.proto.table.YdbTable.CreateTableRequest;
import tech.ydb.proto.table.YdbTable.DropTableRequest;
import tech.ydb.proto.table.YdbTable.ExecuteDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ExplainDataQueryRequest;
import tech.ydb.proto.table.YdbTable.ReadRowsRequest;
import tech.ydb.proto.table.YdbTable.ReadTableRequest;
import tech.ydb.proto.table.YdbTable.SequenceDescription;
import tech.ydb.proto.table.v1.TableServiceGrpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Every field of every request of every service that is bound has a use that was thought of. A
/// newer protocol with a field that nobody has looked at fails here.
class RequestFieldsTest {
    private static final List<ServiceDescriptor> SERVICES =
            List.of(
                    SchemeServiceGrpc.getServiceDescriptor(),
                    TableServiceGrpc.getServiceDescriptor(),
                    QueryServiceGrpc.getServiceDescriptor(),
                    OperationServiceGrpc.getServiceDescriptor(),
                    ScriptingServiceGrpc.getServiceDescriptor(),
                    MonitoringServiceGrpc.getServiceDescriptor(),
                    AuthServiceGrpc.getServiceDescriptor(),
                    CmsServiceGrpc.getServiceDescriptor(),
                    DiscoveryServiceGrpc.getServiceDescriptor());

    /// `class#method`, of everything that the server's code calls.
    private final Set<String> called = called();

    /// By the full name, in the order of the walk.
    private final Map<String, Message> messages = new LinkedHashMap<>();

    private static Set<String> called() {
        Set<String> called = new HashSet<>();
        try (Stream<Path> files = Files.walk(classes())) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .forEach(file -> addCalls(file, called));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return called;
    }

    /// Where the classes of this package's main code are.
    private static Path classes() {
        try {
            return Path.of(
                    RequestFields.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static void addCalls(Path file, Set<String> called) {
        try {
            for (var entry : ClassFile.of().parse(file).constantPool()) {
                if (entry instanceof MemberRefEntry member && !(member instanceof FieldRefEntry)) {
                    String owner = member.owner().asInternalName().replace('/', '.');
                    called.add(
                            owner.replaceFirst("OrBuilder$", "")
                                    + "#"
                                    + member.name().stringValue());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The messages of all requests, with those in fields that are honoured.
    private void walkAll() {
        for (ServiceDescriptor service : SERVICES) {
            for (var method : service.getMethods()) {
                var marshaller = (PrototypeMarshaller<?>) method.getRequestMarshaller();
                var request = (Message) Objects.requireNonNull(marshaller.getMessagePrototype());
                if (!RequestFields.isRefusedCall(request.getDescriptorForType())) {
                    walk(request);
                }
            }
        }
    }

    private void walk(Message message) {
        String name = message.getDescriptorForType().getFullName();
        if (messages.putIfAbsent(name, message) != null) {
            return;
        }
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            boolean honoured = RequestFields.use(field).filter(u -> u == Use.HONOURED).isPresent();
            boolean hasFields =
                    field.getJavaType() == JavaType.MESSAGE
                            && !field.isMapField()
                            && !field.getMessageType().getFullName().startsWith("google.");
            if (honoured && hasFields) {
                walk(message.newBuilderForType().newBuilderForField(field).buildPartial());
            }
        }
    }

    private Set<String> fields(Use wanted) {
        walkAll();
        Set<String> fields = new TreeSet<>();
        for (Message message : messages.values()) {
            for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
                if (RequestFields.use(field).filter(use -> use == wanted).isPresent()) {
                    fields.add(field.getFullName());
                }
            }
        }
        return fields;
    }

    @Test
    void everyFieldHasAUse() {
        walkAll();
        List<String> unknown = new ArrayList<>();
        for (Message message : messages.values()) {
            for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
                if (RequestFields.use(field).isEmpty()) {
                    unknown.add(field.getFullName());
                }
            }
        }
        assertThat(unknown)
                .as("fields that are neither honoured nor refused nor without effect")
                .isEmpty();
        assertThat(messages).hasSizeGreaterThan(100);
    }

    @Test
    void whatIsHonouredIsRead() {
        walkAll();
        List<String> unread = new ArrayList<>();
        for (Message message : messages.values()) {
            for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
                if (RequestFields.use(field).filter(use -> use == Use.HONOURED).isPresent()
                        && !isRead(message, field)) {
                    unread.add(field.getFullName());
                }
            }
        }
        assertThat(unread).as("fields that are called honoured and that nobody reads").isEmpty();
    }

    private boolean isRead(Message message, FieldDescriptor field) {
        String owner = message.getClass().getName() + "#";
        String json = field.getJsonName();
        String name = Character.toUpperCase(json.charAt(0)) + json.substring(1);
        boolean read =
                Stream.of("", "List", "Count", "Map", "Value", "Bytes")
                        .anyMatch(ending -> called.contains(owner + "get" + name + ending));
        return read || called.contains(owner + "has" + name) || isReadByItsCase(owner, field);
    }

    /// A choice that has nothing to say but that it was made is read with the others.
    private boolean isReadByItsCase(String owner, FieldDescriptor field) {
        OneofDescriptor choice = field.getContainingOneof();
        boolean saysNothing =
                field.getJavaType() == JavaType.ENUM
                        || (field.getJavaType() == JavaType.MESSAGE
                                && field.getMessageType().getFields().isEmpty());
        return choice != null
                && saysNothing
                && called.contains(owner + "get" + camel(choice.getName()) + "Case");
    }

    private static String camel(String name) {
        var camel = new StringBuilder();
        for (String part : name.split("_")) {
            camel.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
        }
        return camel.toString();
    }

    /// No list has what the protocol has no more.
    @Test
    void everyNameIsOneOfTheProtocol() {
        Set<String> known = new HashSet<>(fields(Use.HONOURED));
        known.addAll(fields(Use.REFUSED));
        known.addAll(fields(Use.WITHOUT_EFFECT));
        assertThat(RequestFields.names().stream().filter(name -> !name.startsWith("*")))
                .allSatisfy(name -> assertThat(known).contains(name));
    }

    @Test
    void whatHasNoEffectIsDocumented() throws IOException {
        String page = Files.readString(Path.of("../docs/differences.md"));
        RequestFields.withoutEffect()
                .forEach(
                        (name, reason) -> {
                            String[] parts = name.split("\\.");
                            assertThat(page).contains("`" + parts[parts.length - 1] + "`");
                            assertThat(page).contains(reason);
                        });
    }

    @Test
    void whatIsRefusedIsDocumented() throws IOException {
        String page = Files.readString(Path.of("../docs/differences.md"));
        for (String name : fields(Use.REFUSED)) {
            assertThat(page).contains("`" + name.substring(name.lastIndexOf('.') + 1) + "`");
        }
    }

    /// A table's attributes are the client's, but for these.
    @Test
    void attributesWithAMeaningAreDocumented() throws IOException {
        assertThat(Files.readString(Path.of("../docs/differences.md")))
                .contains("| `" + Bundles.ATTRIBUTE + "` |")
                .contains("| `__generated_<column>` |")
                .contains("| `__balancer` |")
                .contains("| others that begin with `__` | reserved");
    }

    /// Frequent requests are not checked field by field, so none of their fields may be one that is
    /// refused. Types are checked by their readers.
    @Test
    void frequentRequestsHaveNoFieldToRefuse() {
        Stream.of(
                        ExecuteQueryRequest.getDefaultInstance(),
                        ExecuteDataQueryRequest.getDefaultInstance(),
                        ReadRowsRequest.getDefaultInstance(),
                        ReadTableRequest.getDefaultInstance(),
                        YdbTable.BeginTransactionRequest.getDefaultInstance(),
                        YdbTable.CommitTransactionRequest.getDefaultInstance(),
                        YdbTable.RollbackTransactionRequest.getDefaultInstance(),
                        YdbTable.CreateSessionRequest.getDefaultInstance(),
                        YdbTable.DeleteSessionRequest.getDefaultInstance(),
                        YdbTable.KeepAliveRequest.getDefaultInstance(),
                        YdbQuery.BeginTransactionRequest.getDefaultInstance(),
                        YdbQuery.CommitTransactionRequest.getDefaultInstance(),
                        YdbQuery.RollbackTransactionRequest.getDefaultInstance(),
                        YdbQuery.CreateSessionRequest.getDefaultInstance(),
                        YdbQuery.DeleteSessionRequest.getDefaultInstance(),
                        YdbQuery.AttachSessionRequest.getDefaultInstance())
                .forEach(this::walk);
        messages.remove("Ydb.Type");
        assertThat(messages).hasSizeGreaterThan(20);
        for (Message message : messages.values()) {
            assertThat(message.getDescriptorForType().getFields())
                    .noneMatch(
                            field ->
                                    RequestFields.use(field)
                                            .filter(use -> use == Use.REFUSED)
                                            .isPresent());
        }
    }

    private static void refuses(String words, Message request) {
        assertThatThrownBy(() -> RequestFields.check(request))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.UNSUPPORTED))
                .hasMessageContaining(words);
    }

    @Test
    void whatIsRefusedIsNamed() {
        refuses(
                "Field 'collect_full_diagnostics' of ExplainDataQueryRequest",
                ExplainDataQueryRequest.newBuilder().setCollectFullDiagnostics(true).build());
        refuses(
                "Field 'data' of BulkUpsertRequest",
                BulkUpsertRequest.newBuilder().setData(ByteString.copyFromUtf8("x")).build());
        var position = SequenceDescription.SetVal.newBuilder().setNextValue(5);
        var sequence = SequenceDescription.newBuilder().setSetVal(position);
        refuses(
                "Field 'set_val' of SequenceDescription",
                CreateTableRequest.newBuilder()
                        .addColumns(ColumnMeta.newBuilder().setName("a"))
                        .addColumns(ColumnMeta.newBuilder().setFromSequence(sequence))
                        .build());
    }

    /// What every client sends does no harm.
    @Test
    void whatHasNoEffectIsTaken() {
        var params =
                OperationParams.newBuilder()
                        .setOperationMode(OperationParams.OperationMode.SYNC)
                        .putLabels("a", "b");
        var request = DropTableRequest.newBuilder().setPath("t").setOperationParams(params);
        assertThatCode(() -> RequestFields.check(request.build())).doesNotThrowAnyException();
    }
}
