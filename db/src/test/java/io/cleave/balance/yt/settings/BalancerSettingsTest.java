package io.cleave.balance.yt.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.testkit.DataDriven;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Settings as texts. `bundle` and `table` show what a client sees after it has set the lines of
/// the input, or the error; of a bundle that was not set to `{}`, what differs from the defaults.
/// `read-bundle` and `read-table` show what the balancer reads: what differs from the defaults.
/// `old` sets or removes an old attribute of a table whose config is the input. `group` chooses the
/// group of a table (first line) of a bundle (second line).
class BalancerSettingsTest {
    @TestFactory
    Stream<DynamicTest> settings() throws IOException {
        return DataDriven.run(
                Path.of("src/test/testdata/ytbalance/settings"), BalancerSettingsTest::answer);
    }

    @Test
    void theDefaultsAreThoseOfAnEmptyConfig() {
        assertThat(BundleConfig.read(YsonNode.Members.EMPTY)).isEqualTo(BundleSettings.DEFAULT);
        assertThat(TableConfig.read(YsonNode.Members.EMPTY)).isEqualTo(TableSettings.DEFAULT);
    }

    /// Earlier versions stored them unchecked.
    @Test
    void aStoredConfigThatIsNotAllowedIsShownAsItIs() {
        YsonNode broken = config("{min_tablet_size=abc}");
        assertThat(BundleConfig.shown(broken)).isEqualTo(broken);
        assertThat(TableConfig.shown(broken)).isEqualTo(broken);
        assertThat(OldAttributes.value("enable_tablet_balancer", broken)).isEmpty();
        assertThat(BundleConfig.shown(YsonNode.of(5))).isEqualTo(YsonNode.of(5));
    }

    @Test
    void groupsAreBoundedInNumber() {
        assertThat(BundleConfig.read(groups(GroupConfig.MAX_GROUPS, "1")).groups())
                .hasSize(GroupConfig.MAX_GROUPS + 3);
        YsonNode tooMany = groups(GroupConfig.MAX_GROUPS + 1, "1");
        // A client may set it, as it may set any other groups that the balancer cannot read.
        BundleConfig.check(tooMany);
        assertThatThrownBy(() -> BundleConfig.read(tooMany))
                .isInstanceOfSatisfying(
                        YtException.class,
                        e ->
                                assertThat(print(e.error(), ""))
                                        .contains("Expected at most 100 groups, found 101"));
    }

    @Test
    void schedulesOfGroupsAreBoundedTogether() {
        String formula = "1".repeat(18) + " ".repeat(9_982);
        assertThat(BundleConfig.read(groups(10, formula)).groups()).hasSize(13);
        assertThatThrownBy(() -> BundleConfig.read(groups(11, formula)))
                .isInstanceOfSatisfying(
                        YtException.class,
                        e ->
                                assertThat(print(e.error(), ""))
                                        .contains(
                                                "Expected schedules of at most 100000 characters"
                                                        + " together, found 110000"));
    }

    private static YsonNode groups(int count, String schedule) {
        var groups = YsonNode.map();
        for (int number = 0; number < count; number++) {
            groups.with("g" + number, YsonNode.map().with("schedule", schedule).build());
        }
        return YsonNode.map().with("groups", groups.build()).build();
    }

    /// Unknown options are kept, but not without a limit.
    @Test
    void theConfigOfATableIsBounded() {
        int overhead = "{future=;}".length() + 4;
        TableConfig.check(future(TableConfig.MAX_BYTES - 2 * overhead));
        assertThatThrownBy(() -> TableConfig.check(future(TableConfig.MAX_BYTES)))
                .hasMessageContaining("may have 65536 bytes");
    }

    private static YsonNode future(int length) {
        return YsonNode.map().with("future", "x".repeat(length)).build();
    }

    private static String answer(DataDriven.Command command) {
        try {
            return run(command);
        } catch (YtException e) {
            return print(e.error(), "");
        }
    }

    private static String run(DataDriven.Command command) {
        return switch (command.name()) {
            case "bundle" -> {
                YsonNode config = config(String.join("", command.input()));
                BundleConfig.check(config);
                YsonNode defaults = BundleConfig.shown(YsonNode.Members.EMPTY);
                yield lines(
                        BundleConfig.shown(config),
                        config.equals(YsonNode.Members.EMPTY) ? YsonNode.Members.EMPTY : defaults);
            }
            case "table" -> {
                YsonNode config = config(String.join("", command.input()));
                TableConfig.check(config);
                yield lines(TableConfig.shown(config), YsonNode.Members.EMPTY);
            }
            case "read-bundle" ->
                    differences(
                            BundleConfig.read(config(String.join("", command.input()))),
                            BundleSettings.DEFAULT);
            case "read-table" ->
                    differences(
                            TableConfig.read(config(String.join("", command.input()))),
                            TableSettings.DEFAULT);
            case "old" -> old(command);
            case "group" -> group(command);
            default -> throw new IllegalArgumentException(command.name());
        };
    }

    private static YsonNode config(String text) {
        return YsonNode.parse(Bytes.utf8(text)).orElseThrow();
    }

    /// What is shown beyond `defaults`.
    private static String lines(YsonNode shown, YsonNode defaults) {
        var lines = new StringBuilder();
        ((YsonNode.Members) shown)
                .members()
                .forEach(
                        (name, value) -> {
                            if (!Optional.of(value).equals(defaults.member(name.utf8()))) {
                                lines.append(name.utf8())
                                        .append(" = ")
                                        .append(value.print())
                                        .append('\n');
                            }
                        });
        return lines.isEmpty() ? "the defaults" : lines.toString();
    }

    private static String differences(Record settings, Record defaults) {
        var lines = new StringBuilder();
        addDifferences("", settings, defaults, lines);
        return lines.isEmpty() ? "the defaults" : lines.toString();
    }

    private static void addDifferences(
            String path, Object value, Object byDefault, StringBuilder lines) {
        if (value.equals(byDefault)) {
            return;
        }
        switch (value) {
            case Record settings -> {
                for (RecordComponent component : settings.getClass().getRecordComponents()) {
                    addDifferences(
                            path + component.getName() + ".",
                            get(component, settings),
                            get(component, byDefault),
                            lines);
                }
            }
            case Map<?, ?> groups when byDefault instanceof Map<?, ?> others ->
                    groups.forEach(
                            (name, group) -> {
                                if (!others.containsKey(name)) {
                                    lines.append("new: ").append(path).append(name).append('\n');
                                }
                                Object other = others.get(name);
                                addDifferences(
                                        path + name + ".",
                                        group,
                                        other == null ? GroupSettings.DEFAULT : other,
                                        lines);
                            });
            default ->
                    lines.append(path, 0, path.length() - 1)
                            .append(" = ")
                            .append(value)
                            .append('\n');
        }
    }

    private static Object get(RecordComponent component, Object settings) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static String old(DataDriven.Command command) {
        String name = command.args().get("name");
        YsonNode config = config(String.join("", command.input()));
        if (command.args().containsKey("set")) {
            config =
                    OldAttributes.with(
                            name, Optional.of(config(command.args().get("set"))), config);
        } else if (command.args().containsKey("remove")) {
            config = OldAttributes.with(name, Optional.empty(), config);
        }
        return "%s: %s\nconfig: %s"
                .formatted(
                        name,
                        OldAttributes.value(name, config).map(YsonNode::print).orElse("absent"),
                        config.print());
    }

    private static String group(DataDriven.Command command) {
        TableSettings table = TableConfig.read(config(command.input().getFirst()));
        BundleSettings bundle = BundleConfig.read(config(command.input().getLast()));
        GroupChoice choice = GroupChoice.of(table, bundle, command.args().containsKey("in-memory"));
        return switch (choice) {
            case GroupChoice.Absent(String name) -> "no group " + name;
            case GroupChoice.Chosen(String name, _) ->
                    name
                            + (choice.movesByLegacyRules(table) ? ", legacy moves" : "")
                            + (choice.movesByMetric(table, bundle) ? ", moves by metric" : "")
                            + (choice.reshardsByMetric(table, bundle, true)
                                    ? ", reshards by metric"
                                    : "");
        };
    }

    private static String print(YtError error, String indent) {
        var text = new StringBuilder(indent + "error " + error.code() + ": " + error.message());
        if (!error.attributes().members().isEmpty()) {
            text.append(' ').append(error.attributes().print());
        }
        text.append('\n');
        error.innerErrors().forEach(inner -> text.append(print(inner, indent + "  ")));
        return text.toString();
    }
}
