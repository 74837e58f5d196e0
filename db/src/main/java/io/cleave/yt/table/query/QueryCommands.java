package io.cleave.yt.table.query;

import io.cleave.query.Database;
import io.cleave.yt.command.Command;

import java.util.List;

/// The commands on queries.
public final class QueryCommands {
    private QueryCommands() {}

    public static List<Command> all(Database database, QueryPaths paths, QuerySnapshots snapshots) {
        var texts = new QueryTexts(database, paths);
        return List.of(
                new SelectRows(database, texts, snapshots), new ExplainQuery(database, texts));
    }
}
