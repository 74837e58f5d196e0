package io.cleave.bench.query;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Queries shaped like TPC-H's first (eight aggregates, four groups, nearly all rows) and sixth
/// (one sum over few rows) on [LineItems]. The figure is the best of three runs, after one run that
/// is not counted. All answers must be equal.
final class GroupByPart implements Part {
    private static final int ROUNDS = 3;

    /// Tolerance for sums of doubles, which depend on their order.
    private static final double PRECISION = 1e-9;

    private static final String Q1 =
            """
            SELECT l_returnflag, l_linestatus, SUM(l_quantity) AS sum_qty,
                SUM(l_extendedprice) AS sum_base_price,
                SUM(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
                SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
                AVG(l_quantity) AS avg_qty, AVG(l_extendedprice) AS avg_price,
                AVG(l_discount) AS avg_disc, COUNT(*) AS count_order
            FROM lineitem WHERE l_shipdate <= %s
            GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus\
            """;
    private static final String Q6 =
            """
            SELECT SUM(l_extendedprice * l_discount) AS revenue FROM lineitem
            WHERE l_shipdate >= %s AND l_shipdate < %s
                AND l_discount >= 0.045 AND l_discount <= 0.075 AND l_quantity < 24.0\
            """;

    @Override
    public void run(Servers servers, Bars bars) throws Exception {
        Side cleave = servers.cleave();
        Optional<Side> postgres = servers.postgres();
        LineItems.loadCleave(cleave, servers.rows());
        servers.compact("lineitem");
        if (postgres.isPresent()) {
            LineItems.loadPostgres(postgres.get(), servers.rows());
        }
        measure(cleave, postgres, work(bars, "q1", servers), Q1, "1998-09-02");
        measure(cleave, postgres, work(bars, "q6", servers), Q6, "1994-01-01", "1995-01-01");
    }

    private static Bars.Work work(Bars bars, String query, Servers servers) {
        String title = "group-by shaped like %s over %,d rows".formatted(query, servers.rows());
        return bars.work(title, "ms").atMost(1.0, Bars.POSTGRES);
    }

    private static void measure(
            Side cleave, Optional<Side> postgres, Bars.Work work, String query, String... days)
            throws SQLException {
        List<Object> ours = time(cleave, work, text(query, "Date('%s')", days));
        if (postgres.isPresent()) {
            expectSame(ours, time(postgres.get(), work, text(query, "DATE '%s'", days)));
        }
    }

    private static String text(String query, String literal, String... days) {
        Object[] literals = new Object[days.length];
        for (int index = 0; index < days.length; index++) {
            literals[index] = literal.formatted(days[index]);
        }
        return query.formatted(literals);
    }

    private static List<Object> time(Side side, Bars.Work work, String text) throws SQLException {
        try (var connection = side.connect()) {
            List<Object> answer = new ArrayList<>();
            double best = Double.MAX_VALUE;
            for (int round = 0; round <= ROUNDS; round++) {
                answer.clear();
                long from = System.nanoTime();
                try (var statement = connection.createStatement();
                        var rows = statement.executeQuery(text)) {
                    while (rows.next()) {
                        for (int at = 1; at <= rows.getMetaData().getColumnCount(); at++) {
                            answer.add(rows.getObject(at));
                        }
                    }
                }
                double millis = (System.nanoTime() - from) / 1e6;
                best = round == 0 ? best : Math.min(best, millis);
            }
            work.figure(side.name(), best, "");
            return answer;
        }
    }

    private static void expectSame(List<Object> ours, List<Object> theirs) {
        boolean same = ours.size() == theirs.size();
        for (int index = 0; same && index < ours.size(); index++) {
            same = isSame(ours.get(index), theirs.get(index));
        }
        if (!same) {
            throw new IllegalStateException("%s instead of %s".formatted(ours, theirs));
        }
    }

    private static boolean isSame(Object ours, Object theirs) {
        if (ours instanceof Number a && theirs instanceof Number b) {
            double difference = Math.abs(a.doubleValue() - b.doubleValue());
            return difference <= PRECISION * Math.abs(b.doubleValue());
        }
        return ours.equals(theirs);
    }
}
