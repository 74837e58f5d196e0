package io.cleave.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import tech.ydb.table.result.ResultSetReader;
import tech.ydb.test.junit5.GrpcTransportExtension;
import tech.ydb.test.junit5.YdbHelperExtension;

/// A suite as it is written for YDB in Docker. Nothing in it names Cleave; it runs against Cleave
/// because this module is on its class path.
///
/// `failIfUnavailable`: without it their extensions would skip the tests if no server was found.
class SwapTest {
    @RegisterExtension
    private static final YdbHelperExtension YDB = new YdbHelperExtension().failIfUnavailable();

    @RegisterExtension
    private static final GrpcTransportExtension TRANSPORT =
            new GrpcTransportExtension().failIfUnavailable();

    @Test
    void theirTransportReadsWhatItWrote() {
        Queries.run(TRANSPORT, "CREATE TABLE swap (k Int32 NOT NULL, v Utf8, PRIMARY KEY (k))");
        Queries.run(TRANSPORT, "UPSERT INTO swap (k, v) VALUES (1, \"one\"u)");

        ResultSetReader rows = Queries.read(TRANSPORT, "SELECT v FROM swap WHERE k = 1");

        assertThat(rows.next()).isTrue();
        assertThat(rows.getColumn("v").getText()).isEqualTo("one");
    }

    @Test
    void theirHelperNamesTheServer() {
        assertThat(YDB.endpoint()).isEqualTo(System.getProperty("YDB_ENDPOINT"));
        assertThat(YDB.database()).isEqualTo("/local");
        assertThat(YDB.useTls()).isFalse();
    }
}
