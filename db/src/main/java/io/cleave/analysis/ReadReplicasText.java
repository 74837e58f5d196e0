package io.cleave.analysis;

import io.cleave.base.Issue.Position;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.schema.TableOptions.Placement;
import io.cleave.schema.TableOptions.ReadReplicas;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses the setting READ_REPLICAS_SETTINGS: `PER_AZ:2` or `ANY_AZ:3`, in any case and with
/// spaces.
final class ReadReplicasText {
    private static final Pattern SHAPE = Pattern.compile("\\s*(\\w+)\\s*:\\s*(\\d{1,9})\\s*");

    private ReadReplicasText() {}

    static ReadReplicas parse(Position at, String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    "Wrong format for read replicas settings '"
                            + text
                            + "'. It should be one of: 'PER_AZ:<count>', 'ANY_AZ:<count>'",
                    at);
        }
        int count = Integer.parseInt(matcher.group(2));
        return switch (matcher.group(1).toUpperCase(Locale.ROOT)) {
            case "PER_AZ" -> new ReadReplicas(Placement.PER_AZ, count);
            case "ANY_AZ" -> new ReadReplicas(Placement.ANY_AZ, count);
            default ->
                    throw new StatusException(
                            Status.UNSUPPORTED,
                            "Specifying read replicas count for each AZ in cluster is not supported"
                                    + " yet",
                            at);
        };
    }
}
