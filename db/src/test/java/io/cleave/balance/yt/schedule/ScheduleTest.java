package io.cleave.balance.yt.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.balance.yt.formula.Formula;
import io.cleave.balance.yt.settings.BundleConfig;
import io.cleave.balance.yt.settings.BundleSettings;
import io.cleave.base.Bytes;
import io.cleave.testkit.DataDriven;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtError;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Schedules as texts. `slots` shows what an iteration tests. `round` says whether it balances a
/// group; the input has the formulas of `cluster:`, `bundle:` and `group:`. `upcoming` lists the
/// next 24 hours of each formula of the input, and `bundle` the rounds of all groups of a bundle
/// with the options of `cluster:` and `bundle:`.
class ScheduleTest {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("dd.MM. HH:mm xxx");

    @TestFactory
    Stream<DynamicTest> schedules() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/ytbalance/schedule"), ScheduleTest::answer);
    }

    private static String answer(DataDriven.Command command) {
        return switch (command.name()) {
            case "slots" -> slots(slots(command.args()));
            case "round" -> round(command);
            case "upcoming" -> upcoming(command);
            case "bundle" -> bundle(command);
            default -> throw new IllegalArgumentException(command.name());
        };
    }

    private static ZoneId zone(Map<String, String> args) {
        return ZoneId.of(args.getOrDefault("zone", "UTC"));
    }

    private static Slots slots(Map<String, String> args) {
        return Slots.between(
                Optional.ofNullable(args.get("previous")).map(Instant::parse),
                Instant.parse(args.get("current")),
                Duration.parse(args.getOrDefault("period", "PT2M")),
                zone(args));
    }

    private static String slots(Slots slots) {
        return slots.isEmpty()
                ? "nothing"
                : "%s to %s, %d minutes"
                        .formatted(
                                Slots.local(slots.from()),
                                Slots.local(slots.to() - 1),
                                slots.to() - slots.from());
    }

    private static String round(DataDriven.Command command) {
        Schedule schedule =
                Schedule.of(
                        command.args().getOrDefault("group", "party"),
                        bundle(line(command, "bundle: "), line(command, "group: ")),
                        Formula.parse(line(command, "cluster: ")));
        Schedule.Verdict verdict = schedule.test(slots(command.args()));
        return schedule.origin()
                + verdict.fired().map(at -> ": fired by " + at).orElse(": not fired")
                + verdict.error().map(error -> "\n" + print(error)).orElse("");
    }

    private static String line(DataDriven.Command command, String prefix) {
        return command.input().stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst()
                .orElse("");
    }

    private static BundleSettings bundle(String ofBundle, String ofGroup) {
        YsonNode group = YsonNode.map().with("schedule", ofGroup).build();
        return BundleConfig.read(
                YsonNode.map()
                        .with("tablet_balancer_schedule", ofBundle)
                        .with("groups", YsonNode.map().with("party", group).build())
                        .build());
    }

    private static String print(YtError error) {
        YtError inner = error.innerErrors().getFirst();
        return "error %d: %s\n  by %s %s"
                .formatted(
                        error.code(), error.message(), inner.message(), inner.attributes().print());
    }

    private static String bundle(DataDriven.Command command) {
        BundleRounds rounds =
                BundleRounds.of(
                        ClusterConfig.read(yson(line(command, "cluster: "))),
                        BundleConfig.read(yson(line(command, "bundle: "))),
                        !command.args().getOrDefault("cells", "1").equals("0"),
                        Instant.parse(command.args().get("now")),
                        zone(command.args()));
        var lines = new StringBuilder();
        rounds.none().ifPresent(why -> lines.append(why).append('\n'));
        for (BundleRounds.GroupRounds group : rounds.groups()) {
            lines.append("%s, %s:".formatted(group.schedule().group(), group.schedule().origin()));
            for (UpcomingRounds.Range range : group.rounds().ranges()) {
                lines.append(' ').append(TIME.format(range.from().atZone(rounds.zone())));
                if (!range.to().equals(range.from().plusSeconds(60))) {
                    lines.append('-').append(TIME.format(range.to().atZone(rounds.zone())));
                }
            }
            group.none().ifPresent(why -> lines.append(' ').append(why));
            group.rounds().error().ifPresent(error -> lines.append('\n').append(print(error)));
            lines.append('\n');
        }
        return lines.toString();
    }

    private static YsonNode yson(String text) {
        return text.isEmpty()
                ? YsonNode.Members.EMPTY
                : YsonNode.parse(Bytes.utf8(text)).orElseThrow();
    }

    private static String upcoming(DataDriven.Command command) {
        ZoneId zone = zone(command.args());
        var lines = new StringBuilder();
        for (String text : command.input()) {
            var schedule = new Schedule("party", Formula.parse(text), Schedule.Origin.CLUSTER);
            UpcomingRounds rounds =
                    UpcomingRounds.of(schedule, Instant.parse(command.args().get("now")), zone);
            lines.append(text).append('\n');
            List<UpcomingRounds.Range> ranges = rounds.ranges();
            for (UpcomingRounds.Range range : ranges.subList(0, Math.min(5, ranges.size()))) {
                lines.append("  ").append(LOCAL.format(range.from().atZone(zone)));
                lines.append(" to ").append(LOCAL.format(range.to().atZone(zone))).append('\n');
            }
            lines.append("  %d ranges".formatted(ranges.size()));
            lines.append(rounds.error().map(error -> ", " + print(error)).orElse(""));
            lines.append('\n');
        }
        return lines.toString();
    }

    @Test
    void theScheduleOfAClusterIsNotEmpty() {
        assertThatThrownBy(() -> Schedule.cluster(" "))
                .hasMessage("tablet_balancer_schedule cannot be empty in master config");
        assertThatThrownBy(() -> Schedule.cluster("wrong_variable"))
                .hasMessageStartingWith("Invalid variable");
        assertThat(Schedule.cluster("0").text()).isEqualTo("0");
    }
}
