package io.cleave.yql;

import io.cleave.base.Issue;
import io.cleave.base.Issue.Position;

import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Warns about names that nothing after them uses, at the place of their definition. These are
/// parameters, named expressions, actions and subqueries, and the local names of actions,
/// subqueries and lambdas.
///
/// A name counts as used if it occurs anywhere, even in a definition that is itself unused. Names
/// that begin with `$_` are exempt.
final class UnusedNames {
    private static final class Name {
        final String name;
        final Position at;
        boolean used;

        Name(Token token) {
            name = Names.value(token);
            at = Places.at(token);
        }
    }

    /// Newest first: a new definition hides older ones of the same name.
    private Map<String, Deque<Name>> known = new HashMap<>();

    /// The names of the current scope, which end with it.
    private List<Name> scope = new ArrayList<>();

    private final List<Name> unused = new ArrayList<>();

    private UnusedNames() {}

    static List<Issue> of(Yql.ScriptContext script) {
        var names = new UnusedNames();
        names.inside(Stream.empty(), script);
        names.unused.sort(
                Comparator.comparingInt((Name name) -> name.at.row())
                        .thenComparingInt(name -> name.at.column()));
        return names.unused.stream().map(UnusedNames::warning).toList();
    }

    private static Issue warning(Name name) {
        return Issue.warning(Issue.UNUSED_SYMBOL, "Symbol " + name.name + " is not used")
                .at(name.at);
    }

    private void read(ParseTree tree) {
        switch (tree) {
            case TerminalNode leaf -> {
                if (leaf.getSymbol().getType() == Yql.NAMED_VALUE) {
                    use(leaf.getSymbol());
                }
            }
            case Yql.DeclareStatementContext declare -> {
                read(declare.type());
                give(declare.NAMED_VALUE().getSymbol());
            }
            case Yql.DefinitionContext definition -> {
                List<TerminalNode> names = definition.NAMED_VALUE();
                readChildren(definition, 2 * names.size());
                names.forEach(name -> give(name.getSymbol()));
            }
            case Yql.RoutineStatementContext routine -> {
                inside(
                        routine.routineParameter().stream().map(parameter -> parameter.start),
                        routine.routineBody());
                give(routine.NAMED_VALUE().getSymbol());
            }
            case Yql.ParenthesizedPrimaryContext lambda when lambda.ARROW() != null ->
                    inside(
                            lambda.parenthesized().argument().stream()
                                    .map(argument -> argument.start),
                            lambda.lambdaBody());
            case Yql.DoBlockStatementContext block -> inside(Stream.empty(), block.routineBody());
            case Yql.CreateViewStatementContext view -> apart(view);
            default -> readChildren(tree, 0);
        }
    }

    private void readChildren(ParseTree tree, int from) {
        for (int child = from; child < tree.getChildCount(); child++) {
            read(tree.getChild(child));
        }
    }

    /// Reads a body with its own scope, beginning with its parameters.
    private void inside(Stream<Token> parameters, ParseTree body) {
        List<Name> outside = scope;
        scope = new ArrayList<>();
        parameters.forEach(this::give);
        readChildren(body, 0);
        // In reverse order of definition, as `known` has the newest first.
        for (Name name : scope.reversed()) {
            known.computeIfPresent(
                    name.name, (_, all) -> all.remove(name) && all.isEmpty() ? null : all);
            if (!name.used && !name.name.startsWith("$_")) {
                unused.add(name);
            }
        }
        scope = outside;
    }

    /// Reads a view, which sees no names of the surrounding text.
    private void apart(Yql.CreateViewStatementContext view) {
        Map<String, Deque<Name>> outside = known;
        known = new HashMap<>();
        inside(Stream.empty(), view);
        known = outside;
    }

    private void give(Token token) {
        var name = new Name(token);
        known.computeIfAbsent(name.name, _ -> new ArrayDeque<>()).addFirst(name);
        scope.add(name);
    }

    private void use(Token token) {
        Deque<Name> names = known.get(Names.value(token));
        if (names != null) {
            names.getFirst().used = true;
        }
    }
}
