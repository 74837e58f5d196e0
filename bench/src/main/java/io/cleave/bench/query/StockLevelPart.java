package io.cleave.bench.query;

import io.cleave.bench.Load;
import io.cleave.bench.TableText;

import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// The statement of TPC-C's StockLevel on the tables of one warehouse: how many items of a
/// district's last 20 orders are short in stock. The warehouse of the statement and the item of an
/// order line form the whole key of the stock. So about 200 of 100,000 rows must be looked up by
/// key, and EXPLAIN must show that.
final class StockLevelPart implements Part {
    private static final int ITEMS = 100_000;
    private static final int DISTRICTS = 10;
    private static final int ORDERS = 3_000;
    private static final int LINES = 10;
    private static final int LAST_ORDERS = 20;
    private static final int ROWS_A_BATCH = 5_000;
    private static final int CLIENTS = 16;
    private static final int WARM_UP = 20_000;
    private static final String OPERATOR = "LookupJoin";

    private static final String STATEMENT =
            """
            SELECT COUNT(DISTINCT s.s_i_id) AS low FROM order_line AS ol
            JOIN stock AS s ON s.s_i_id = ol.ol_i_id
            WHERE ol.ol_w_id = %1$s AND ol.ol_d_id = %2$s
                AND ol.ol_o_id >= %3$s - 20 AND ol.ol_o_id < %4$s
                AND s.s_w_id = %5$s AND s.s_quantity < %6$s\
            """;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        Side cleave = servers.cleave();
        load(cleave);
        servers.compact("order_line");
        servers.compact("stock");
        Bars.Work explained =
                bars.work("joins of StockLevel that EXPLAIN says to look up", "joins").atLeast(1);
        String plan = plan(cleave);
        int lookups = plan.split(OPERATOR, -1).length - 1;
        explained.figure(
                Bars.CLEAVE, Math.min(lookups, 1), lookups > 0 ? OPERATOR : "another join");
        WarmUp.run(cleave, WARM_UP, _ -> client(cleave));
        Bars.Work work =
                bars.work(
                        "StockLevel of TPC-C, one warehouse" + Part.with(CLIENTS),
                        "us of server CPU (rate)");
        Turns.middle(
                        List.of(cleave),
                        side -> side.measure(CLIENTS, _ -> client(side), servers.time()),
                        Load.Measured::serverCpuMicros)
                .forEach(
                        (side, measured) ->
                                work.figure(
                                        side.name(),
                                        measured.serverCpuMicros(),
                                        TableText.number(measured.perSecond()) + "/s"));
        cleave.execute("DROP TABLE order_line", "DROP TABLE stock");
    }

    private static void load(Side side) throws SQLException {
        side.execute(
                "CREATE TABLE order_line (ol_w_id Int32 NOT NULL, ol_d_id Int32 NOT NULL, ol_o_id"
                        + " Int32 NOT NULL, ol_number Int32 NOT NULL, ol_i_id Int32 NOT NULL,"
                        + " ol_amount Double, ol_dist_info Utf8, PRIMARY KEY (ol_w_id, ol_d_id,"
                        + " ol_o_id, ol_number))",
                "CREATE TABLE stock (s_w_id Int32 NOT NULL, s_i_id Int32 NOT NULL, s_quantity"
                        + " Int32 NOT NULL, s_ytd Double, s_data Utf8, PRIMARY KEY (s_w_id,"
                        + " s_i_id))");
        var random = new SplittableRandom(1);
        fill(
                side,
                "BULK UPSERT INTO stock (s_w_id, s_i_id, s_quantity, s_ytd, s_data) VALUES (?, ?,"
                        + " ?, ?, ?)",
                ITEMS,
                item -> List.of(1, item + 1, random.nextInt(10, 101), 0.0, Items.TEXT));
        fill(
                side,
                "BULK UPSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id,"
                        + " ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?)",
                DISTRICTS * ORDERS * LINES,
                line ->
                        List.of(
                                1,
                                line / LINES / ORDERS + 1,
                                line / LINES % ORDERS + 1,
                                line % LINES + 1,
                                random.nextInt(ITEMS) + 1,
                                0.0,
                                "the district's 24 letters"));
    }

    private interface Row {
        List<Object> values(int number);
    }

    private static void fill(Side side, String upsert, int rows, Row row) throws SQLException {
        try (var connection = side.connect();
                var statement = connection.prepareStatement(upsert)) {
            for (int number = 0; number < rows; number++) {
                List<Object> values = row.values(number);
                for (int index = 0; index < values.size(); index++) {
                    statement.setObject(index + 1, values.get(index));
                }
                statement.addBatch();
                if ((number + 1) % ROWS_A_BATCH == 0 || number + 1 == rows) {
                    statement.executeBatch();
                }
            }
        }
    }

    /// The plan of the statement with parameters, whose values are not known at planning.
    private static String plan(Side side) throws SQLException {
        String text = STATEMENT.formatted("$w", "$d", "$o", "$o", "$w", "$threshold");
        try (var connection = side.connect();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "DECLARE $w AS Int32; DECLARE $d AS Int32; DECLARE $o AS"
                                        + " Int32; DECLARE $threshold AS Int32; EXPLAIN "
                                        + text)) {
            if (!rows.next()) {
                throw new IllegalStateException("EXPLAIN answers nothing");
            }
            return rows.getString(rows.getMetaData().getColumnCount());
        }
    }

    private static Load.Client client(Side side) throws SQLException {
        return new JdbcClient(side, STATEMENT.formatted("?", "?", "?", "?", "?", "?")) {
            @Override
            public void ask(RandomGenerator random) throws SQLException {
                int order = random.nextInt(LAST_ORDERS + 1, ORDERS + 2);
                statement.setInt(1, 1);
                statement.setInt(2, random.nextInt(DISTRICTS) + 1);
                statement.setInt(3, order);
                statement.setInt(4, order);
                statement.setInt(5, 1);
                statement.setInt(6, random.nextInt(10, 21));
                try (var rows = statement.executeQuery()) {
                    if (!rows.next() || rows.getLong("low") > LAST_ORDERS * LINES) {
                        throw new IllegalStateException("more items are low than were ordered");
                    }
                }
            }
        };
    }
}
