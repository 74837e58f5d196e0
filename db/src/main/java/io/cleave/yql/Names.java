package io.cleave.yql;

import io.cleave.yql.Statement.ColumnAt;

import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Names of columns, tables and values, without the quotes in which they may be written.
final class Names {
    private Names() {}

    static String of(Yql.IdentifierContext name) {
        return plain(name.start.getText());
    }

    static String of(Yql.AnyNameContext name) {
        return plain(name.start.getText());
    }

    static String of(Yql.ImplicitNameContext name) {
        return plain(name.start.getText());
    }

    /// `$name`, including the dollar.
    static String value(Token token) {
        return "$" + plain(token.getText().substring(1));
    }

    /// All `$names` in a part of the text, including repetitions.
    static List<String> values(ParseTree tree) {
        List<String> names = new ArrayList<>();
        collect(tree, names);
        return names;
    }

    private static void collect(ParseTree tree, List<String> names) {
        if (tree instanceof TerminalNode leaf) {
            if (leaf.getSymbol().getType() == Yql.NAMED_VALUE) {
                names.add(value(leaf.getSymbol()));
            }
            return;
        }
        for (int child = 0; child < tree.getChildCount(); child++) {
            collect(tree.getChild(child), names);
        }
    }

    static ColumnAt column(Yql.IdentifierContext name) {
        return new ColumnAt(Places.at(name), of(name));
    }

    static ColumnAt column(Yql.AnyNameContext name) {
        return new ColumnAt(Places.at(name), of(name));
    }

    static List<ColumnAt> columns(Yql.ColumnNamesContext names) {
        return names.anyName().stream().map(Names::column).toList();
    }

    static TableName table(Yql.TableNameContext table) {
        return table.identifier() != null
                ? new TableName(Places.at(table), of(table.identifier()), false)
                : new TableName(Places.at(table), value(table.start), true);
    }

    static String plain(String text) {
        if (text.charAt(0) != '`') {
            return text;
        }
        String body = text.substring(1, text.length() - 1).replace("``", "`");
        return new String(Escapes.decode(body), StandardCharsets.UTF_8);
    }
}
