package io.cleave.analysis;

import io.cleave.base.Bytes;
import io.cleave.base.Issue;
import io.cleave.function.call.Dialect;
import io.cleave.function.call.Dialect.Option;
import io.cleave.typed.WarningPolicy;
import io.cleave.value.Value;
import io.cleave.yql.Expression;
import io.cleave.yql.Statement;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Applies PRAGMA statements. Pragmas that ask for what Cleave does anyway, or that control
/// internals of YDB, are accepted and ignored.
final class Pragmas {
    private static final Set<String> HARMLESS =
            Set.of(
                    "allowdotinalias",
                    "allowunnamedcolumns",
                    "ansioptionalas",
                    "disableansioptionalas",
                    "ansilike",
                    "disableansilike",
                    "ansiorderbylimitinunionall",
                    "ansirankfornullablekeys",
                    "ansiimplicitcrossjoin",
                    "disableansiimplicitcrossjoin",
                    "regexusere2",
                    "warnunnamedcolumns",
                    "groupbylimit",
                    "groupbycubelimit",
                    "autocommit",
                    "flexibletypes",
                    "disableflexibletypes",
                    "refselect",
                    "warnonansialiasshadowing",
                    "disablewarnonansialiasshadowing",
                    "warnuntypedstringliterals",
                    "disablewarnuntypedstringliterals",
                    "costbasedoptimizer",
                    "datawatermarks",
                    "debugpositions",
                    "disabledebugpositions",
                    "directread",
                    "distinctoverkeys",
                    "disabledistinctoverkeys",
                    "distinctoverwindow",
                    "disabledistinctoverwindow",
                    "disableunordered",
                    "disableunorderedresult",
                    "emittablesource",
                    "disableemittablesource",
                    "enablesystemcolumns",
                    "featurer010",
                    "filterpushdownoverjoinoptionalside",
                    "disablefilterpushdownoverjoinoptionalside",
                    "pullupflatmapoverjoin",
                    "disablepullupflatmapoverjoin",
                    "rotatejointree",
                    "windownewpipeline",
                    "disablewindownewpipeline",
                    // The parser handles it: the form of a literal decides its type.
                    "unicodeliterals",
                    "disableunicodeliterals",
                    "usetableprefixforeach",
                    "blockengine",
                    "compactgroupby",
                    "disablecompactgroupby",
                    "compactnamedexprs",
                    "disablecompactnamedexprs",
                    "dqengine",
                    "emitaggapply",
                    "disableemitaggapply",
                    "emitstartswith",
                    "disableemitstartswith",
                    "emitunionmerge",
                    "disableemitunionmerge",
                    "equijoin",
                    "unorderedresult",
                    "unorderedsubqueries",
                    "disableunorderedsubqueries",
                    "useblocks",
                    "disableuseblocks",
                    "validateunusedexprs",
                    "disablevalidateunusedexprs");

    /// They would change the meaning of a query.
    private static final Set<String> UNSUPPORTED =
            Set.of(
                    "bogousstaringroupbyoverjoin",
                    "disableansiorderbylimitinunionall",
                    "disableansirankfornullablekeys",
                    "discoverymode",
                    "groupbyexprafterwhere",
                    "file",
                    "fileoption",
                    "folder",
                    "library",
                    "overridelibrary",
                    "package",
                    "packageversion",
                    "pqreadby",
                    "resultsizelimit",
                    "udf");

    /// Each has a second form with the prefix [#DISABLE].
    private static final Map<String, Option> OPTIONS =
            Map.of(
                    "coalescejoinkeysonqualifiedall", Option.MERGED_KEYS,
                    "ansiinforemptyornullableitemscollections", Option.ANSI_IN,
                    "ansicurrentrow", Option.ANSI_CURRENT_ROW,
                    "positionalunionall", Option.POSITIONAL_UNION,
                    "classicdivision", Option.CLASSIC_DIVISION,
                    "simplecolumns", Option.SIMPLE_COLUMNS,
                    "orderedcolumns", Option.ORDERED_COLUMNS,
                    "jsonqueryreturnsjsondocument", Option.JSON_DOCUMENTS,
                    "strictjoinkeytypes", Option.STRICT_JOIN_KEYS);

    /// The greatest limit on key ranges. A range takes about 200 bytes of memory in a run.
    private static final long MOST_RANGES = 1_000_000;

    private static final String DISABLE = "disable";
    private static final String GREETING = "Hello!";

    private static final Set<String> HARMLESS_PREFIXES = Set.of("ydb", "kikimr", "config");

    private Pragmas() {}

    static void apply(Statement.Pragma pragma, AnalysisContext context) {
        String name = Expression.Call.plain(pragma.name());
        if (pragma.prefix().isPresent()) {
            String prefix = pragma.prefix().get().toLowerCase(Locale.ROOT);
            if (prefix.equals("cleave") && name.equals("indexautoselect")) {
                context.setChoosesIndexes(isOn(pragma));
                return;
            }
            if (prefix.equals("cleave") && name.equals("rangeexpansionlimit")) {
                context.setRangeExpansionLimit(ranges(pragma));
                return;
            }
            if (HARMLESS_PREFIXES.contains(prefix)
                    || (prefix.equals("yson") && applyYson(pragma, name, context))) {
                return;
            }
            throw unknown(pragma, pragma.prefix().get() + "." + pragma.name());
        }
        switch (name) {
            case "tablepathprefix", "relativepathprefix" -> context.setPathPrefix(path(pragma));
            case "classicdivision" ->
                    context.setDialect(
                            context.dialect().with(Option.CLASSIC_DIVISION, isOn(pragma)));
            case "resultrowslimit" -> context.setResultRowsLimit(number(pragma));
            case "greetings" ->
                    context.warn(
                            Issue.info(pragma.values().isEmpty() ? GREETING : path(pragma))
                                    .at(pragma.at()));
            case "warningmsg" -> context.warn(Issue.warning(0, path(pragma)).at(pragma.at()));
            case "warning" -> context.setWarningPolicy(warnings(pragma, context.warningPolicy()));
            case "errormsg" -> throw AnalysisContext.error(pragma.at(), path(pragma));
            case "checkedops" -> {
                if (pragma.values().isEmpty()) {
                    throw AnalysisContext.error(
                            pragma.at(),
                            "Expected boolean literal as a single argument for: " + pragma.name());
                }
                context.setDialect(context.dialect().with(Option.CHECKED_OPS, isOn(pragma)));
            }
            default -> {
                boolean on = !name.startsWith(DISABLE);
                Option option = OPTIONS.get(on ? name : name.substring(DISABLE.length()));
                if (option != null) {
                    context.setDialect(context.dialect().with(option, on));
                    return;
                }
                if (UNSUPPORTED.contains(name)) {
                    throw AnalysisContext.unsupported(pragma.at(), "PRAGMA " + pragma.name());
                }
                if (!HARMLESS.contains(name)) {
                    throw unknown(pragma, pragma.name());
                }
            }
        }
    }

    /// Returns false if there is no such pragma.
    private static boolean applyYson(
            Statement.Pragma pragma, String name, AnalysisContext context) {
        Dialect.YsonTypes types = context.dialect().yson();
        Dialect.YsonTypes changed;
        switch (name) {
            case "autoconvert" -> changed = new Dialect.YsonTypes(isOn(pragma), types.strict());
            case "strict" -> changed = new Dialect.YsonTypes(types.autoConvert(), isOn(pragma));
            case "disablestrict" ->
                    changed = new Dialect.YsonTypes(types.autoConvert(), !isOn(pragma));
            // They control internals of YDB.
            case "fast", "casttostring", "disablecasttostring" -> changed = types;
            default -> {
                return false;
            }
        }
        context.setDialect(context.dialect().withYson(changed));
        return true;
    }

    private static RuntimeException unknown(Statement.Pragma pragma, String name) {
        return AnalysisContext.error(pragma.at(), "Unknown pragma: " + name);
    }

    private static boolean isOn(Statement.Pragma pragma) {
        if (pragma.values().isEmpty()) {
            return true;
        }
        String text = path(pragma);
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                    throw AnalysisContext.error(
                            pragma.at(),
                            "Expected true or false as the value of PRAGMA "
                                    + pragma.name()
                                    + ", got: "
                                    + text);
        };
    }

    private static WarningPolicy warnings(Statement.Pragma pragma, WarningPolicy before) {
        List<String> words = pragma.values().stream().flatMap(v -> text(v).stream()).toList();
        if (words.size() != 2 || pragma.values().size() != 2) {
            throw AnalysisContext.error(
                    pragma.at(), "Expected arguments <action>, <issueId> for: " + pragma.name());
        }
        String code = words.get(1);
        WarningPolicy.Action action =
                switch (words.getFirst().toLowerCase(Locale.ROOT)) {
                    case "default" -> WarningPolicy.Action.DEFAULT;
                    case "disable" -> WarningPolicy.Action.DISABLE;
                    case "error" -> WarningPolicy.Action.ERROR;
                    default ->
                            throw AnalysisContext.error(
                                    pragma.at(),
                                    "unknown warning action '%s', expecting one of DEFAULT, ERROR, DISABLE"
                                            .formatted(words.getFirst()));
                };
        if (code.equals("*")) {
            return new WarningPolicy(action, Map.of());
        }
        if (!code.matches("\\d{1,9}")) {
            throw AnalysisContext.error(
                    pragma.at(),
                    "unknown warning code '%s', expecting integer or '*'".formatted(code));
        }
        return before.with(Integer.parseInt(code), action);
    }

    private static Optional<String> text(Expression.Literal literal) {
        return literal.value() instanceof Value.Binary(Bytes bytes)
                ? Optional.of(bytes.utf8())
                : Optional.empty();
    }

    private static long ranges(Statement.Pragma pragma) {
        long ranges = number(pragma);
        if (ranges < 1 || ranges > MOST_RANGES) {
            throw AnalysisContext.error(
                    pragma.at(),
                    "PRAGMA %s must be from 1 to %d, got: %d"
                            .formatted(pragma.name(), MOST_RANGES, ranges));
        }
        return ranges;
    }

    private static long number(Statement.Pragma pragma) {
        if (pragma.values().size() == 1) {
            Value value = pragma.values().getFirst().value();
            if (value instanceof Value.Int(long number) && number >= 0) {
                return number;
            }
            if (value instanceof Value.Binary(Bytes bytes) && bytes.utf8().matches("\\d{1,18}")) {
                return Long.parseLong(bytes.utf8());
            }
        }
        throw AnalysisContext.error(
                pragma.at(), "Expected unsigned integer literal for: " + pragma.name());
    }

    private static String path(Statement.Pragma pragma) {
        if (pragma.values().size() == 1) {
            Value value = pragma.values().getFirst().value();
            if (value instanceof Value.Binary(Bytes bytes)) {
                return bytes.utf8();
            }
            if (value instanceof Value.Text(String text)) {
                return text;
            }
        }
        throw AnalysisContext.error(
                pragma.at(), "Expected one string as the value of PRAGMA " + pragma.name());
    }
}
