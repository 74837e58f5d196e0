package io.cleave.control.action;

import io.cleave.base.Bytes;
import io.cleave.base.StatusException;
import io.cleave.cluster.TabletInfo;
import io.cleave.control.action.TabletAction.Content;
import io.cleave.control.action.TabletAction.Kind;
import io.cleave.control.action.TabletAction.Origin;
import io.cleave.control.action.TabletAction.State;
import io.cleave.schema.KeyRange;
import io.cleave.schema.LockCounts;
import io.cleave.schema.MountState;
import io.cleave.schema.MountStates;
import io.cleave.schema.ObjectId;
import io.cleave.schema.ObjectType;
import io.cleave.schema.Table;
import io.cleave.schema.TableAlteration;
import io.cleave.schema.TableChange.SetYt;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.schema.TableRules;
import io.cleave.schema.TabletCounters;
import io.cleave.schema.TabletTraffic;
import io.cleave.schema.YtTable;
import io.cleave.testkit.DataDriven;
import io.cleave.testkit.DataDriven.Command;
import io.cleave.value.Type.Primitive;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Which actions may begin, and which go on, as text. Lines of input are tablets: a number, the
/// first key (`-` is the empty key), and the state if it is not `mounted`. The bundle of the table
/// has the cells 1 to 3, another one has the cell 4.
class ActionRulesTest {
    private static final Map<String, List<Long>> BUNDLES =
            Map.of("default", List.of(1L, 2L, 3L), "other", List.of(4L));

    @TestFactory
    Stream<DynamicTest> rules() throws IOException {
        return DataDriven.run(Path.of("src/test/testdata/actions"), ActionRulesTest::answer);
    }

    private static String answer(Command command) {
        List<TabletInfo> tablets = tablets(command.input());
        try {
            return switch (command.name()) {
                case "begin" -> begin(command, table(command.input()), tablets);
                case "continue" -> goOn(command, table(command.input()), tablets);
                default -> throw new IllegalArgumentException(command.name());
            };
        } catch (StatusException e) {
            return e.status() + ": " + e.issues().getFirst().message();
        }
    }

    private static String begin(Command command, Table table, List<TabletInfo> tablets) {
        var request =
                new ActionRequest(
                        Kind.valueOf(command.args().get("kind").toUpperCase(Locale.ROOT)),
                        table,
                        numbers(command, "tablets"),
                        numbers(command, "cells"),
                        keys(command, "pivots"),
                        command.args().containsKey("count")
                                ? OptionalInt.of((int) command.number("count"))
                                : OptionalInt.empty(),
                        false,
                        Keeping.SHORT,
                        Origin.CLIENT);
        List<TabletInfo> named = ActionRules.tablets(request, tablets);
        Content content = ActionRules.content(request, named, tablets, BUNDLES, 0);
        return "%s of %s tablets from %s to %s"
                .formatted(
                        content.kind().text(),
                        content.mounted().text(),
                        text(content.range().from()),
                        text(content.range().to()));
    }

    /// The action had the tablets of `tablets` between the keys `from` and `to`, and began to
    /// change them.
    private static String goOn(Command command, Table table, List<TabletInfo> tablets) {
        Kind kind = Kind.valueOf(command.args().get("kind").toUpperCase(Locale.ROOT));
        Bytes to = command.args().containsKey("to") ? key(command.args().get("to")) : null;
        var content =
                new Content(
                        kind,
                        table.id(),
                        table.path(),
                        "default",
                        new KeyRange(key(command.args().getOrDefault("from", "-")), to),
                        List.of(),
                        keys(command, "pivots"),
                        keys(command, "old"),
                        OptionalInt.empty(),
                        state(command.args().getOrDefault("state", "mounted")),
                        false,
                        Keeping.SHORT,
                        Origin.CLIENT,
                        0,
                        0);
        var action =
                new TabletAction(
                        ObjectId.of(ObjectType.TABLET_ACTION, 1),
                        content,
                        State.PREPARING,
                        numbers(command, "tablets"),
                        "",
                        0);
        ActionRules.checkUntouched(
                action, table, tablets, !command.args().containsKey("after-restart"));
        return "goes on";
    }

    private static List<Long> numbers(Command command, String name) {
        return words(command, name).map(Long::valueOf).toList();
    }

    private static List<Bytes> keys(Command command, String name) {
        return words(command, name).map(ActionRulesTest::key).toList();
    }

    private static Stream<String> words(Command command, String name) {
        String text = command.args().getOrDefault(name, "");
        return text.isEmpty() ? Stream.of() : Arrays.stream(text.split(","));
    }

    private static Bytes key(String text) {
        return text.equals("-") ? Bytes.EMPTY : Bytes.utf8(text);
    }

    private static String text(@Nullable Bytes key) {
        return key == null ? "the end" : key.isEmpty() ? "-" : new String(key.array());
    }

    private static MountState state(String text) {
        return MountState.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static List<TabletInfo> tablets(List<String> lines) {
        List<TabletInfo> tablets = new ArrayList<>();
        for (int index = 0; index < lines.size(); index++) {
            String[] words = lines.get(index).split(" ");
            Bytes to = index + 1 < lines.size() ? key(lines.get(index + 1).split(" ")[1]) : null;
            tablets.add(tablet(Long.parseLong(words[0]), new KeyRange(key(words[1]), to)));
        }
        return tablets;
    }

    private static Table table(List<String> lines) {
        MountStates states = MountStates.MOUNTED;
        for (String line : lines) {
            String[] words = line.split(" ");
            states =
                    states.with(
                            new KeyRange(key(words[1]), null),
                            state(words.length > 2 ? words[2] : "mounted"));
        }
        var definition =
                new TableDefinition(
                        "/local/t",
                        List.of(new NewColumn("k", Primitive.UTF8, false, "", Optional.empty())),
                        List.of("k"),
                        List.of(),
                        TableOptions.DEFAULT,
                        new Layout.Single(),
                        Map.of());
        return TableAlteration.apply(
                TableRules.create(definition, 7, 0),
                List.of(new SetYt(YtTable.OTHER.with(states))));
    }

    private static TabletInfo tablet(long tabletId, KeyRange range) {
        return new TabletInfo(
                tabletId,
                1,
                1,
                range,
                0,
                0,
                new TabletInfo.Storage(0, 0, Map.of(), 0, 0, 0, 0, new TabletInfo.Filter(0, 0, 0)),
                new TabletTraffic(
                        0,
                        0,
                        0,
                        0,
                        0,
                        LockCounts.NONE,
                        0,
                        0,
                        0,
                        new TabletTraffic.Transactions(0, 0, 0, 0)),
                new TabletInfo.Load(0, 0, 0),
                new TabletInfo.Health(0, Optional.empty()),
                TabletCounters.NONE,
                0);
    }
}
