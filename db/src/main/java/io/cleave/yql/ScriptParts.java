package io.cleave.yql;

import org.antlr.v4.runtime.ParserRuleContext;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/// Cuts a script into texts that run one after the other. Every schema change is a part of its own.
/// The statements between schema changes and COMMITs are one part and one transaction.
///
/// A part contains the named expressions, parameters and pragmas before it that it uses. A name
/// that no statement uses is in all parts after it. A part is as long as the script, with blanks
/// for everything else, so that errors have the same position as in the script.
public final class ScriptParts {
    private final Parser.Parsed script;
    private final int[] points;
    private final Map<String, Statement.DefineRoutine> routines = new HashMap<>();
    private final List<Integer> sayings = new ArrayList<>();

    /// How often each `$name` occurs in the script.
    private final Map<String, Integer> counts = new HashMap<>();

    private final List<String> parts = new ArrayList<>();
    private List<Integer> open = new ArrayList<>();

    private ScriptParts(String text, Parser.Parsed script) {
        this.script = script;
        this.points = text.codePoints().toArray();
        script.places()
                .forEach(
                        place ->
                                Names.values(place).forEach(n -> counts.merge(n, 1, Integer::sum)));
    }

    /// Returns at least one part.
    public static List<String> of(String text) {
        Parser.Parsed script = Parser.read(text);
        var cut = new ScriptParts(text, script);
        cut.run();
        if (cut.parts.isEmpty()) {
            // The script has only definitions or COMMIT.
            return List.of(cut.only(cut.sayings::contains));
        }
        return cut.parts;
    }

    /// The statements, one by one, of a text that only changes the schema. Empty if the text does
    /// anything else, or has only one such statement.
    public static List<String> changes(String text) {
        var cut = new ScriptParts(text, Parser.read(text));
        cut.run();
        boolean onlyChanges =
                cut.script.statements().stream()
                        .noneMatch(each -> each instanceof Statement.Batch || cut.isData(each));
        return onlyChanges && cut.parts.size() > 1 ? cut.parts : List.of();
    }

    private boolean isData(Statement statement) {
        return switch (statement) {
            case Statement.Declare _,
                    Statement.Define _,
                    Statement.Pragma _,
                    Statement.DefineRoutine _ ->
                    false;
            default -> !isAlone(statement);
        };
    }

    private void run() {
        for (int index = 0; index < script.statements().size(); index++) {
            switch (script.statements().get(index)) {
                case Statement.Declare _, Statement.Define _, Statement.Pragma _ ->
                        sayings.add(index);
                case Statement.DefineRoutine routine -> {
                    routines.put(routine.name(), routine);
                    sayings.add(index);
                }
                case Statement.Commit _ -> close();
                case Statement statement when isAlone(statement) -> {
                    close();
                    open.add(index);
                    close();
                }
                case Statement _ -> open.add(index);
            }
        }
        close();
    }

    /// Whether the statement must be a part of its own: a schema change or a BATCH.
    private boolean isAlone(Statement statement) {
        return switch (statement) {
            case Statement.CreateTable _,
                    Statement.AlterTable _,
                    Statement.DropTable _,
                    Statement.TruncateTable _,
                    Statement.CreateView _,
                    Statement.DropView _,
                    Statement.AlterSequence _,
                    Statement.Access _,
                    Statement.Batch _ ->
                    true;
            case Statement.DoBlock block -> block.body().stream().anyMatch(this::isAlone);
            // The recursion ends, because a routine can only call routines above it.
            case Statement.Do called -> {
                Statement.DefineRoutine routine = routines.remove(called.name());
                boolean alone = routine != null && routine.body().stream().anyMatch(this::isAlone);
                if (routine != null) {
                    routines.put(called.name(), routine);
                }
                yield alone;
            }
            default -> false;
        };
    }

    private void close() {
        if (open.isEmpty()) {
            return;
        }
        Set<Integer> kept = new HashSet<>(open);
        Set<String> names = new HashSet<>();
        open.forEach(index -> names.addAll(names(index)));
        for (int index : sayings.reversed()) {
            boolean above = index < open.getLast();
            if (above && (isUsed(index, names) || isUnused(index))) {
                kept.add(index);
                names.addAll(names(index));
            }
        }
        parts.add(only(kept::contains));
        open = new ArrayList<>();
    }

    /// Pragmas, which define no name, are used by all parts.
    private boolean isUsed(int saying, Set<String> names) {
        List<String> given = given(saying);
        return given.isEmpty() || given.stream().anyMatch(names::contains);
    }

    /// Whether the name occurs only in its definition. It is kept, so that it is still warned
    /// about.
    private boolean isUnused(int saying) {
        return given(saying).stream().anyMatch(name -> counts.getOrDefault(name, 0) == 1);
    }

    private List<String> given(int saying) {
        return switch (script.statements().get(saying)) {
            case Statement.Declare declare -> List.of(declare.name());
            case Statement.Define define -> define.names();
            case Statement.DefineRoutine routine -> List.of(routine.name());
            default -> List.of();
        };
    }

    private List<String> names(int statement) {
        return Names.values(script.places().get(statement));
    }

    /// The script with only the chosen statements.
    private String only(IntPredicate kept) {
        int[] text = points.clone();
        List<ParserRuleContext> places = script.places();
        for (int index = 0; index < places.size(); index++) {
            if (!kept.test(index)) {
                blank(text, places.get(index));
            }
        }
        return new String(text, 0, text.length);
    }

    private static void blank(int[] text, ParserRuleContext place) {
        for (int at = place.start.getStartIndex(); at <= place.stop.getStopIndex(); at++) {
            if (text[at] != '\n') {
                text[at] = ' ';
            }
        }
    }
}
