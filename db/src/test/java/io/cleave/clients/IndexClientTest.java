package io.cleave.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import tech.ydb.core.Status;
import tech.ydb.core.StatusCode;
import tech.ydb.core.grpc.GrpcRequestSettings;
import tech.ydb.proto.OperationProtos.ListOperationsRequest;
import tech.ydb.proto.OperationProtos.ListOperationsResponse;
import tech.ydb.proto.operation.v1.OperationServiceGrpc;
import tech.ydb.proto.table.YdbTable.IndexBuildMetadata;
import tech.ydb.proto.table.YdbTable.IndexBuildState;
import tech.ydb.table.Session;
import tech.ydb.table.description.TableDescription;
import tech.ydb.table.description.TableIndex;
import tech.ydb.table.query.DataQueryResult;
import tech.ydb.table.result.ResultSetReader;
import tech.ydb.table.settings.AlterTableSettings;
import tech.ydb.table.transaction.TxControl;
import tech.ydb.table.values.PrimitiveType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Secondary indexes as `ydb-sdk-table` makes, describes, alters and reads them.
@ExtendWith(SharedServer.class)
class IndexClientTest {
    private static final TableDescription SERIES =
            TableDescription.newBuilder()
                    .addNonnullColumn("id", PrimitiveType.Uint64)
                    .addNullableColumn("title", PrimitiveType.Text)
                    .addNullableColumn("year", PrimitiveType.Int32)
                    .setPrimaryKey("id")
                    .addGlobalUniqueIndex("once", List.of("title", "year"))
                    .addGlobalIndex("by_title", List.of("title"), List.of("year"))
                    .addGlobalAsyncIndex("later", List.of("year", "title"))
                    .build();

    private final Clients clients;
    private final String directory;
    private final Session session;

    IndexClientTest(Clients clients) {
        this.clients = clients;
        directory = clients.newDirectory();
        session = clients.tables().createSession(Duration.ofSeconds(10)).join().getValue();
    }

    @AfterEach
    void closeSession() {
        session.close();
    }

    @Test
    void indexesAreDescribedByTheirNames() {
        succeed(session.createTable(directory + "/series", SERIES));
        List<TableIndex> indexes = describe("/series").getIndexes();
        assertThat(indexes)
                .extracting(TableIndex::getName)
                .containsExactly("by_title", "later", "once");
        assertThat(indexes)
                .extracting(TableIndex::getType)
                .containsExactly(
                        TableIndex.Type.GLOBAL,
                        TableIndex.Type.GLOBAL_ASYNC,
                        TableIndex.Type.GLOBAL_UNIQUE);
        assertThat(indexes.get(0).getColumns()).containsExactly("title");
        assertThat(indexes.get(0).getDataColumns()).containsExactly("year");
        TableDescription rows = describe("/series/by_title/indexImplTable");
        assertThat(rows.getPrimaryKeys()).containsExactly("title", "id");
        assertThat(rows.getPartitioningSettings().getPartitionSizeMb()).isEqualTo(2048);
    }

    @Test
    void anIndexIsAddedRenamedReplacedAndDropped() {
        succeed(session.createTable(directory + "/series", SERIES));
        upsert("(1, 'b'u, 1990), (2, 'a'u, 1980), (3, NULL, 1980)");
        succeed(alter(new AlterTableSettings().addGlobalIndex("by_year", List.of("year"))));
        assertThat(ids("SELECT id FROM `%s/series` VIEW by_year WHERE year = 1980"))
                .containsExactly(2L, 3L);
        succeed(alter(new AlterTableSettings().addRenameIndex("by_year", "years")));
        Status there = alter(new AlterTableSettings().addRenameIndex("years", "by_title")).join();
        assertThat(there.getCode()).isEqualTo(StatusCode.SCHEME_ERROR);
        succeed(alter(new AlterTableSettings().addRenameIndex("years", "by_title", true)));
        assertThat(describe("/series").getIndexes())
                .extracting(TableIndex::getName)
                .containsExactlyInAnyOrder("by_title", "later", "once");
        assertThat(ids("SELECT id FROM `%s/series` VIEW by_title WHERE year >= 1985"))
                .containsExactly(1L);
        succeed(alter(new AlterTableSettings().dropIndex("by_title")));
        assertThat(describe("/series").getIndexes()).hasSize(2);
    }

    @Test
    void aDuplicateIsRefused() {
        succeed(session.createTable(directory + "/series", SERIES));
        upsert("(1, 'b'u, 1990)");
        var second =
                session.executeDataQuery(
                                "UPSERT INTO `%s/series` (id, title, year) VALUES (2, 'b'u, 1990)"
                                        .formatted(directory),
                                TxControl.serializableRw())
                        .join();
        assertThat(second.getStatus().getCode()).isEqualTo(StatusCode.PRECONDITION_FAILED);
    }

    @Test
    @Timeout(30)
    void anAsyncIndexIsReadInStaleModeOnly() {
        succeed(session.createTable(directory + "/series", SERIES));
        upsert("(1, 'b'u, 1990)");
        String text =
                "SELECT id FROM `%s/series` VIEW later WHERE year = 1990".formatted(directory);
        assertThat(
                        session.executeDataQuery(text, TxControl.serializableRw())
                                .join()
                                .getStatus()
                                .getCode())
                .isEqualTo(StatusCode.PRECONDITION_FAILED);
        // It follows by itself; a test that runs out of time says that it does not.
        int found = 0;
        while (found == 0) {
            DataQueryResult stale =
                    session.executeDataQuery(text, TxControl.staleRo()).join().getValue();
            found = stale.getResultSet(0).getRowCount();
        }
        assertThat(found).isEqualTo(1);
    }

    @Test
    void buildsAreListedAsOperations() throws Exception {
        succeed(session.createTable(directory + "/series", SERIES));
        upsert("(1, 'b'u, 1990)");
        succeed(alter(new AlterTableSettings().addGlobalIndex("by_year", List.of("year"))));
        ListOperationsResponse listed =
                clients.transport()
                        .unaryCall(
                                OperationServiceGrpc.getListOperationsMethod(),
                                GrpcRequestSettings.newBuilder().build(),
                                ListOperationsRequest.newBuilder()
                                        .setKind("buildindex")
                                        .setPageSize(100)
                                        .build())
                        .join()
                        .getValue();
        assertThat(listed.getNextPageToken()).isEqualTo("0");
        IndexBuildMetadata build = null;
        for (var operation : listed.getOperationsList()) {
            IndexBuildMetadata metadata = operation.getMetadata().unpack(IndexBuildMetadata.class);
            if (metadata.getDescription().getPath().equals(directory + "/series")) {
                build = metadata;
                assertThat(operation.getReady()).isTrue();
            }
        }
        assertThat(build).isNotNull();
        assertThat(build.getState()).isEqualTo(IndexBuildState.State.STATE_DONE);
        assertThat(build.getProgress()).isEqualTo(100f);
        assertThat(build.getDescription().getIndex().getName()).isEqualTo("by_year");
    }

    private List<Long> ids(String text) {
        DataQueryResult result =
                session.executeDataQuery(text.formatted(directory), TxControl.serializableRw())
                        .join()
                        .getValue();
        ResultSetReader rows = result.getResultSet(0);
        List<Long> ids = new java.util.ArrayList<>();
        while (rows.next()) {
            ids.add(rows.getColumn("id").getUint64());
        }
        return ids;
    }

    private void upsert(String rows) {
        session.executeDataQuery(
                        "UPSERT INTO `%s/series` (id, title, year) VALUES %s"
                                .formatted(directory, rows),
                        TxControl.serializableRw())
                .join()
                .getStatus()
                .expectSuccess("upsert");
    }

    private CompletableFuture<Status> alter(AlterTableSettings settings) {
        return session.alterTable(directory + "/series", settings);
    }

    private TableDescription describe(String path) {
        return session.describeTable(directory + path).join().getValue();
    }

    private static void succeed(CompletableFuture<Status> status) {
        assertThat(status.join().getCode()).isEqualTo(StatusCode.SUCCESS);
    }
}
