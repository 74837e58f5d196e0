package io.cleave.yt.table.query;

import io.cleave.value.YsonNode;
import io.cleave.yt.command.CommandParameters;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

/// What a query may read and return.
///
/// @param input the number of rows that it may read
/// @param output the number of rows that it may return
/// @param fails whether the query fails above a limit; otherwise it answers with the rows that it
///   has
record QueryLimits(long input, long output, boolean fails) {
    private static final long DEFAULT_ROWS = 1_000_000;

    static QueryLimits of(CommandParameters parameters) {
        return new QueryLimits(
                rows(parameters, "input_row_limit"),
                rows(parameters, "output_row_limit"),
                parameters.flag("fail_on_incomplete_result", true));
    }

    private static long rows(CommandParameters parameters, String name) {
        long rows = parameters.number(name).orElse(DEFAULT_ROWS);
        if (rows < 0) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "Cannot parse parameter /%s: expected a number of rows, got %d"
                            .formatted(name, rows));
        }
        return rows;
    }

    /// Refuses unsupported options that would change the answer. Options that only control how a
    /// cluster runs a query are ignored.
    static void refuseUnsupported(CommandParameters parameters) {
        refuseIf(parameters.find("retention_timestamp").isPresent(), "retention_timestamp");
        refuseIf(parameters.find("udf_registry_path").isPresent(), "udf_registry_path");
        refuseIf(
                parameters
                        .find("versioned_read_options")
                        .filter(options -> !isDefault(options))
                        .isPresent(),
                "versioned_read_options");
        refuseIf(!parameters.flag("merge_versioned_rows", true), "merge_versioned_rows=%false");
        refuseUnless(parameters, "expression_builder_version", 1);
        refuseUnless(parameters, "hyper_log_log_precision", 14);
    }

    private static boolean isDefault(YsonNode options) {
        return options.bare()
                .member("read_mode")
                .flatMap(YsonNode::string)
                .filter("default"::equals)
                .isPresent();
    }

    private static void refuseUnless(CommandParameters parameters, String name, long only) {
        long given = parameters.number(name).orElse(only);
        refuseIf(given != only, name + "=" + given);
    }

    private static void refuseIf(boolean given, String name) {
        if (given) {
            throw new YtException(
                    YtCodes.GENERIC,
                    "The parameter \"%s\" of queries is not supported".formatted(name));
        }
    }
}
