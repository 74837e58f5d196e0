package io.cleave.yt.table.query;

import io.cleave.plan.JoinNotes;
import io.cleave.plan.ReadInference;
import io.cleave.query.Database;
import io.cleave.query.Session;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.ytql.YtQueryFacts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Explains how a query would be run, in YTsaurus' form: which key ranges are read, in which order,
/// and how joined tables are looked up. The member `inference` exists only here. It contains
/// sentences about how the ranges were found, and how joins find their rows.
final class ExplainQuery implements Command {
    private static final String NO_UDFS = "//tmp/udfs";

    private final Database database;
    private final QueryTexts texts;

    ExplainQuery(Database database, QueryTexts texts) {
        this.database = database;
        this.texts = texts;
    }

    @Override
    public CommandDescriptor descriptor() {
        return CommandDescriptor.read("explain_query");
    }

    @Override
    public void run(CommandCall call) {
        Session session = database.as(call.caller()).newSession();
        QueryTexts.Ready query = texts.compiledAsText(call, session);
        YtQueryFacts facts = database.facts(query.text());
        Optional<ReadInference> read = ReadInference.of(query.compiled().program(), Map.of());
        List<String> joins = JoinNotes.of(query.compiled().program());
        boolean verbose = call.parameters().flag("verbose_output", false);
        call.answer(
                YsonNode.map()
                        .with("udf_registry_path", NO_UDFS)
                        .with("query", explained(query.text().text(), facts, read, joins, verbose))
                        .build());
    }

    private static YsonNode explained(
            String text,
            YtQueryFacts facts,
            Optional<ReadInference> read,
            List<String> joins,
            boolean verbose) {
        if (facts.subquery().isPresent()) {
            var outer = common(text, facts);
            outer.with("subquery", explained(text, facts.subquery().get(), read, joins, verbose));
            return outer.build();
        }
        var query = common(text, facts);
        if (read.isPresent()) {
            List<YsonNode> ranges = new ArrayList<>();
            for (ReadInference.Ends ends : read.get().ranges()) {
                ranges.add(YsonNode.list(YsonNode.text(ends.lower()), YsonNode.text(ends.upper())));
            }
            query.with("constraints", read.get().constraints())
                    .with("ranges", YsonNode.list(ranges))
                    .with("keys", YsonNode.texts(read.get().keys()));
            if (verbose) {
                query.with("grouped_ranges", YsonNode.list(ranges));
            }
            List<String> notes = new ArrayList<>(read.get().notes());
            notes.addAll(joins);
            query.with("inference", YsonNode.texts(notes));
        }
        return query.build();
    }

    private static YsonNode.MapBuilder common(String text, YtQueryFacts facts) {
        var query = YsonNode.map();
        query.with("is_ordered_scan", facts.isOrderedScan())
                .with("scan_order", facts.isOrderedScan() ? "ordered" : "unordered");
        facts.commonPrefix()
                .ifPresent(length -> query.with("common_prefix_with_primary_key", length));
        facts.where().ifPresent(where -> query.with("where_expression", where));
        List<YsonNode> joins = new ArrayList<>();
        for (List<YtQueryFacts.Join> group : facts.joins()) {
            joins.add(YsonNode.list(group.stream().map(ExplainQuery::join).toList()));
        }
        return query.with("joins", YsonNode.list(joins))
                .with("bottom_query", text)
                .with("front_query", text);
    }

    private static YsonNode join(YtQueryFacts.Join join) {
        String lookup =
                join.commonKeyPrefix() > 0
                        ? "source ranges"
                        : join.foreignKeyPrefix() > 0 ? "prefix ranges" : "IN clause";
        return YsonNode.map()
                .with("lookup_type", lookup)
                .with("common_key_prefix", join.commonKeyPrefix())
                .with("foreign_key_prefix", join.foreignKeyPrefix())
                .build();
    }
}
