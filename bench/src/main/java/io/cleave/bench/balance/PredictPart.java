package io.cleave.bench.balance;

import io.cleave.bench.Figures;
import io.cleave.bench.ServerProcess;
import io.cleave.bench.Tablets;
import io.cleave.bench.Tablets.Tablet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a plan says, and what the round after it does: sizes, counts and moves.
final class PredictPart {
    private static final int CELLS = 4;
    private static final int TABLETS = 20;
    private static final double BAR = 0.1;
    private static final double MIB = 1 << 20;

    /// `reshard tablet 7 into 3 at …: …, total size 300.0 MB, …`
    private static final Pattern RESHARD =
            Pattern.compile("reshard tablets? ([\\d, ]+) into (\\d+).*total size ([\\d.]+) MB");

    private static final Pattern MOVE = Pattern.compile("move tablet (\\d+) from cell \\d+ to");

    private final Figures figures;
    private final int megabytes;

    PredictPart(Figures figures, int megabytes) {
        this.figures = figures;
        this.megabytes = megabytes;
    }

    void run() throws Exception {
        try (var server = ServerProcess.start("--yt-port", "0", "--cells", "" + CELLS);
                var rows = new NumberedRows(server, megabytes, "")) {
            reshard(rows);
            move(rows);
        }
    }

    private void reshard(NumberedRows rows) throws Exception {
        rows.wantTablets(TABLETS);
        Matcher planned = RESHARD.matcher(rows.tablets().plan());
        if (!planned.find()) {
            throw new IllegalStateException("no reshard: " + rows.tablets().plan());
        }
        double count = Double.parseDouble(planned.group(2));
        double size = Double.parseDouble(planned.group(3)) * MIB / count;
        rows.letRoundsRun();
        List<Tablet> after = Rounds.settle(rows.tablets());
        rows.stopRounds();
        List<Long> sizes = rows.tablets().sizes();
        double largest =
                sizes.stream().mapToDouble(bytes -> Math.abs(bytes - size) / size).max().orElse(1);
        double mean =
                sizes.stream()
                        .mapToDouble(bytes -> Math.abs(bytes - size) / size)
                        .average()
                        .orElse(1);
        figures.print("predict: tablets of the plan", count, "");
        figures.print("predict: largest difference of a size", largest, "");
        figures.printWithBarAtMost(BAR, "predict: count of tablets", off(after.size(), count), "");
        figures.printWithBarAtMost(BAR, "predict: sizes of tablets, on average", mean, "");
    }

    private void move(NumberedRows rows) throws Exception {
        Tablets tablets = rows.tablets();
        for (Tablet tablet : tablets.list()) {
            if (tablet.cell() != 1) {
                tablets.move(tablet, 1);
            }
        }
        rows.set(
                "//sys/tablet_cell_bundles/default/@tablet_balancer_config/enable_cell_balancer",
                "%true");
        long planned = MOVE.matcher(tablets.plan()).results().count();
        rows.letRoundsRun();
        Map<Long, Integer> counts = new HashMap<>();
        List<Tablet> after = Rounds.settle(tablets);
        after.forEach(tablet -> counts.merge(tablet.cell(), 1, Integer::sum));
        long moved = after.stream().filter(tablet -> tablet.cell() != 1).count();
        figures.print("predict: moves of the plan", (double) planned, "");
        figures.print("predict: moves that happened", (double) moved, "");
        figures.say("predict: tablets by cell " + counts);
        figures.printWithBarAtMost(
                BAR, "predict: count of moves", off((double) moved, (double) planned), "");
    }

    private static double off(double happened, double predicted) {
        return Math.abs(happened - predicted) / Math.max(1, predicted);
    }
}
