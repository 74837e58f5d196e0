package io.cleave.cli;

import io.cleave.bookkeeper.dev.JvmCommand;
import io.cleave.bookkeeper.dev.MemberMain;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

import java.util.Arrays;
import java.util.Optional;

/// The program behind `./cleave`. Exit codes: 0 success, 1 failure, 2 wrong arguments.
@Command(
        name = "cleave",
        description = "A sharded table store that YDB's clients use unchanged.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            StartCommand.class,
            SqlCommand.class,
            TabletsCommand.class,
            SplitCommand.class,
            MergeCommand.class,
            MoveCommand.class,
            WhyCommand.class,
            PlanCommand.class,
            ScheduleCommand.class,
            BundlesCommand.class,
            CompactCommand.class,
            FsckCommand.class,
            ClusterCommand.class,
            BenchCommand.class,
            TrainCommand.class,
            HelpCommand.class
        },
        versionProvider = Main.Version.class)
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals(JvmCommand.MEMBER)) {
            MemberMain.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        Optional<StartArguments.Request> request = StartArguments.read(args);
        System.exit(request.isPresent() ? new Server().run(request.get()) : run(args));
    }

    static int run(String... args) {
        return new CommandLine(new Main())
                .setParameterExceptionHandler((e, _) -> explainUsage(e.getCommandLine(), e))
                .setExecutionExceptionHandler(Main::explainFailure)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args);
    }

    private static int explainFailure(Exception e, CommandLine command, ParseResult arguments)
            throws Exception {
        if (e instanceof UsageException) {
            return explainUsage(command, e);
        }
        throw e;
    }

    private static int explainUsage(CommandLine command, Exception e) {
        command.getErr().println("cleave: " + e.getMessage());
        command.usage(command.getErr());
        return ExitCode.USAGE;
    }

    /// Wrong arguments that picocli cannot detect.
    static final class UsageException extends RuntimeException {
        UsageException(String message) {
            super(message);
        }
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"cleave " + (version == null ? "(not packaged)" : version)};
        }
    }
}
