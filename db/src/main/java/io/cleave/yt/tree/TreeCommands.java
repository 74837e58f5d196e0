package io.cleave.yt.tree;

import io.cleave.yt.command.Command;

import java.util.ArrayList;
import java.util.List;

/// The commands on the tree and on transactions.
public final class TreeCommands {
    private TreeCommands() {}

    public static List<Command> all(TreeService service, TabletTransactions tabletTransactions) {
        List<Command> all = new ArrayList<>();
        all.addAll(new ReadCommands(service).all());
        all.addAll(new ChangeCommands(service).all());
        all.addAll(new CopyCommands(service).all());
        all.addAll(new LockCommands(service).all());
        all.addAll(new TransactionCommands(service, tabletTransactions).all());
        return all;
    }
}
