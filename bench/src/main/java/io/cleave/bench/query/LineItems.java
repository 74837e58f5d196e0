package io.cleave.bench.query;

import org.postgresql.PGConnection;

import java.io.IOException;
import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.SplittableRandom;

/// The columns of TPC-H's largest table that its first and sixth query read, with the same
/// distribution of values. Numbers are double precision in both databases. The key is the order and
/// the line number.
final class LineItems {
    private static final int ROWS_A_BATCH = 5_000;
    private static final int ROWS_A_COPY = 100_000;
    private static final int LINES_AN_ORDER = 4;
    private static final int DAYS = 2526;
    private static final LocalDate FIRST_DAY = LocalDate.of(1992, 1, 2);
    private static final LocalDate TODAY = LocalDate.of(1995, 6, 17);

    private static final String CREATE_CLEAVE =
            """
            CREATE TABLE lineitem (
                l_orderkey Int64 NOT NULL, l_linenumber Int32 NOT NULL,
                l_quantity Double NOT NULL, l_extendedprice Double NOT NULL,
                l_discount Double NOT NULL, l_tax Double NOT NULL,
                l_returnflag Utf8 NOT NULL, l_linestatus Utf8 NOT NULL,
                l_shipdate Date NOT NULL,
                PRIMARY KEY (l_orderkey, l_linenumber))\
            """;
    private static final String CREATE_POSTGRES =
            """
            CREATE TABLE lineitem (
                l_orderkey bigint NOT NULL, l_linenumber integer NOT NULL,
                l_quantity double precision NOT NULL, l_extendedprice double precision NOT NULL,
                l_discount double precision NOT NULL, l_tax double precision NOT NULL,
                l_returnflag text NOT NULL, l_linestatus text NOT NULL,
                l_shipdate date NOT NULL,
                PRIMARY KEY (l_orderkey, l_linenumber))\
            """;
    private static final String BULK_UPSERT =
            """
            BULK UPSERT INTO lineitem (l_orderkey, l_linenumber, l_quantity, l_extendedprice,
                l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)\
            """;

    private LineItems() {}

    private record LineItem(
            long order,
            int line,
            double quantity,
            double price,
            double discount,
            double tax,
            String returnFlag,
            String status,
            LocalDate shipped) {
        /// The row of this number, which is always the same.
        static LineItem of(int number) {
            var random = new SplittableRandom(number);
            int quantity = 1 + random.nextInt(50);
            LocalDate shipped = FIRST_DAY.plusDays(random.nextInt(DAYS));
            boolean late = shipped.isAfter(TODAY);
            return new LineItem(
                    number / LINES_AN_ORDER,
                    number % LINES_AN_ORDER,
                    quantity,
                    quantity * (90_000 + random.nextInt(20_000)) / 100.0,
                    random.nextInt(11) / 100.0,
                    random.nextInt(9) / 100.0,
                    late ? "N" : random.nextBoolean() ? "R" : "A",
                    late ? "O" : "F",
                    shipped);
        }

        void set(PreparedStatement statement) throws SQLException {
            statement.setLong(1, order);
            statement.setInt(2, line);
            statement.setDouble(3, quantity);
            statement.setDouble(4, price);
            statement.setDouble(5, discount);
            statement.setDouble(6, tax);
            statement.setString(7, returnFlag);
            statement.setString(8, status);
            statement.setObject(9, shipped);
        }

        void append(StringBuilder text) {
            text.append(order).append('\t').append(line).append('\t').append(quantity);
            text.append('\t').append(price).append('\t').append(discount).append('\t').append(tax);
            text.append('\t').append(returnFlag).append('\t').append(status);
            text.append('\t').append(shipped).append('\n');
        }
    }

    static void loadCleave(Side side, int rows) throws SQLException {
        side.execute(CREATE_CLEAVE);
        try (var connection = side.connect();
                var statement = connection.prepareStatement(BULK_UPSERT)) {
            for (int number = 0; number < rows; number++) {
                LineItem.of(number).set(statement);
                statement.addBatch();
                if ((number + 1) % ROWS_A_BATCH == 0 || number + 1 == rows) {
                    statement.executeBatch();
                }
            }
        }
    }

    static void loadPostgres(Side side, int rows) throws SQLException, IOException {
        side.execute(CREATE_POSTGRES);
        try (var connection = side.connect()) {
            var copies = connection.unwrap(PGConnection.class).getCopyAPI();
            for (int from = 0; from < rows; from += ROWS_A_COPY) {
                var text = new StringBuilder();
                for (int number = from; number < Math.min(rows, from + ROWS_A_COPY); number++) {
                    LineItem.of(number).append(text);
                }
                var _ =
                        copies.copyIn(
                                "COPY lineitem FROM STDIN", new StringReader(text.toString()));
            }
        }
        side.execute("VACUUM ANALYZE lineitem", "CHECKPOINT");
    }
}
