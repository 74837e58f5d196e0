package io.cleave.yt.table;

import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;

/// The command `balance_tablet_cells`, which names a bundle and not a table.
record BalanceCellsCommand(BalancingCommands balancing) implements Command {
    @Override
    public CommandDescriptor descriptor() {
        return CommandDescriptor.change("balance_tablet_cells");
    }

    @Override
    public void run(CommandCall call) {
        call.answer(balancing.balanceCells(call));
    }
}
