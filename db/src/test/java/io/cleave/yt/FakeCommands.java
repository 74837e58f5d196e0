package io.cleave.yt;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.YsonNode;
import io.cleave.yt.command.Command;
import io.cleave.yt.command.CommandCall;
import io.cleave.yt.command.CommandDescriptor;
import io.cleave.yt.command.DataType;
import io.cleave.yt.error.YtError;
import io.cleave.yt.error.YtException;
import io.cleave.yt.format.RowInput;
import io.cleave.yt.format.RowOutput;
import io.cleave.yt.format.WireType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Commands that show what arrives, and fail as they are told.
final class FakeCommands {
    final AtomicInteger count = new AtomicInteger();

    /// Opens when `slow_rows` was cancelled.
    final CountDownLatch cancelled = new CountDownLatch(1);

    /// `hold` ends when this is open.
    final CountDownLatch gate = new CountDownLatch(1);

    final AtomicInteger holding = new AtomicInteger();

    /// How often a command had no memory.
    final AtomicInteger refused = new AtomicInteger();

    final AtomicInteger answered = new AtomicInteger();

    List<Command> all() {
        return List.of(
                command("echo", DataType.NULL, DataType.STRUCTURED, false, FakeCommands::echo),
                command("change", DataType.NULL, DataType.STRUCTURED, true, FakeCommands::echo),
                command("count", DataType.NULL, DataType.STRUCTURED, true, this::count),
                command(
                        "store",
                        DataType.STRUCTURED,
                        DataType.STRUCTURED,
                        true,
                        FakeCommands::store),
                command("copy_rows", DataType.TABULAR, DataType.TABULAR, false, FakeCommands::rows),
                command("many_rows", DataType.NULL, DataType.TABULAR, false, FakeCommands::many),
                command("fail", DataType.NULL, DataType.STRUCTURED, false, FakeCommands::fail),
                command("slow_rows", DataType.NULL, DataType.TABULAR, false, this::await),
                command("hold", DataType.NULL, DataType.STRUCTURED, false, this::hold),
                prompt(),
                command("keep_rows", DataType.TABULAR, DataType.STRUCTURED, false, this::keep),
                command("large_list", DataType.NULL, DataType.STRUCTURED, false, this::large));
    }

    /// Answers with as many rows as it is asked for, which say whether the command may wait. With
    /// `fail` it fails after the rows.
    private static Command prompt() {
        Command rows =
                command(
                        "prompt_rows",
                        DataType.NULL,
                        DataType.TABULAR,
                        false,
                        FakeCommands::promptRows);
        return new Command() {
            @Override
            public CommandDescriptor descriptor() {
                return rows.descriptor();
            }

            @Override
            public boolean isPrompt() {
                return true;
            }

            @Override
            public void run(CommandCall call) {
                rows.run(call);
            }
        };
    }

    private static void promptRows(CommandCall call) {
        RowOutput out = call.outputRows();
        out.columns(List.of(Bytes.utf8("may_wait")));
        for (long row = call.parameters().number("count").orElse(1L); row > 0; row--) {
            out.beginRow();
            out.booleanField(0, call.mayWait());
            out.endRow();
        }
        if (call.parameters().flag("fail", false)) {
            throw new YtException(1, "failed where it may wait: " + call.mayWait());
        }
    }

    private static Command command(
            String name,
            DataType input,
            DataType output,
            boolean isVolatile,
            Consumer<CommandCall> work) {
        var descriptor =
                new CommandDescriptor(name, input, output, isVolatile, output == DataType.TABULAR);
        return new Command() {
            @Override
            public CommandDescriptor descriptor() {
                return descriptor;
            }

            @Override
            public void run(CommandCall call) {
                work.accept(call);
            }
        };
    }

    private static void echo(CommandCall call) {
        call.answer("value", call.parameters().members());
    }

    private void count(CommandCall call) {
        int now = count.incrementAndGet();
        if (call.parameters().flag("fail", false)) {
            throw new YtException(500, "failed " + now);
        }
        if (call.parameters().flag("overload", false)) {
            throw new StatusException(Status.OVERLOADED, "overloaded " + now);
        }
        call.answer("count", YsonNode.of(now));
    }

    private static void store(CommandCall call) {
        call.answer("value", call.input());
    }

    private static void rows(CommandCall call) {
        RowInput in = call.inputRows();
        List<List<Object[]>> rows = new ArrayList<>();
        while (in.next()) {
            List<Object[]> row = new ArrayList<>();
            for (int field = 0; field < in.fieldCount(); field++) {
                row.add(
                        new Object[] {
                            in.column(field),
                            in.type(field),
                            switch (in.type(field)) {
                                case STRING, ANY -> in.bytes(field);
                                case NULL -> 0L;
                                default -> in.bits(field);
                            }
                        });
            }
            rows.add(row);
        }
        List<Bytes> names = new ArrayList<>();
        for (int id = 0; id < in.names().count(); id++) {
            names.add(in.names().name(id));
        }
        RowOutput out = call.outputRows();
        out.columns(names);
        for (List<Object[]> row : rows) {
            out.beginRow();
            for (Object[] field : row) {
                write(out, (int) field[0], (WireType) field[1], field[2]);
            }
            out.endRow();
        }
    }

    private static void write(RowOutput out, int column, WireType type, Object value) {
        switch (type) {
            case NULL -> out.nullField(column);
            case INT64 -> out.intField(column, (long) value);
            case UINT64 -> out.uintField(column, (long) value);
            case DOUBLE -> out.doubleField(column, Double.longBitsToDouble((long) value));
            case BOOLEAN -> out.booleanField(column, (long) value == 1);
            case STRING -> out.stringField(column, (Bytes) value);
            case ANY -> out.anyField(column, (Bytes) value);
        }
    }

    private static void many(CommandCall call) {
        long count = call.parameters().number("count").orElse(1L);
        long failAfter = call.parameters().number("fail_after").orElse(Long.MAX_VALUE);
        call.responseParameter("rows_read", YsonNode.of(count));
        RowOutput out = call.outputRows();
        out.columns(List.of(Bytes.utf8("k")));
        for (long row = 0; row < count; row++) {
            call.cancellation().check();
            if (row == failAfter) {
                throw new YtException(1, "failed after " + row + " rows");
            }
            out.beginRow();
            out.intField(0, row);
            out.endRow();
        }
    }

    private static void fail(CommandCall call) {
        String how = call.parameters().text("how").orElse("yt");
        switch (how) {
            case "yt" ->
                    throw YtError.of(
                                    call.parameters().number("code").orElse(500L).intValue(),
                                    call.parameters().text("message").orElse("failed"))
                            .with("attribute", "x")
                            .with(YtError.of(1700, "inner"))
                            .exception();
            case "bug" -> throw new IllegalStateException("secret");
            case "deep" -> deep(0);
            case "long" -> throw new YtException(1, "x".repeat(100_000));
            default -> throw new StatusException(Status.valueOf(how), "status " + how);
        }
    }

    private static int deep(int depth) {
        return deep(depth + 1) + 1;
    }

    private void await(CommandCall call) {
        try {
            while (true) {
                call.cancellation().check();
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            cancelled.countDown();
        }
    }

    private void hold(CommandCall call) {
        holding.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        call.answer(YsonNode.Members.EMPTY);
    }

    /// Reads rows, and holds them.
    private void keep(CommandCall call) {
        List<Bytes> kept = new ArrayList<>();
        try {
            RowInput in = call.inputRows();
            while (in.next()) {
                kept.add(in.type(0) == WireType.STRING ? in.bytes(0) : Bytes.EMPTY);
            }
        } catch (YtException e) {
            refused.incrementAndGet();
            throw e;
        }
        hold(call);
        kept.clear();
    }

    private void large(CommandCall call) {
        List<YsonNode> items = new ArrayList<>();
        for (long item = call.parameters().number("count").orElse(1L); item > 0; item--) {
            items.add(YsonNode.text("item " + item));
        }
        call.answer(YsonNode.list(items));
        answered.incrementAndGet();
    }
}
