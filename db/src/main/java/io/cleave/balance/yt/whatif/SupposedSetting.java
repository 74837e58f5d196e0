package io.cleave.balance.yt.whatif;

import io.cleave.base.Bytes;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.value.YsonNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An option that is supposed to have another value.
///
/// @param table the path of the table whose option it is; empty for an option of the bundle
/// @param key its path in the config, such as `min_tablet_size` or `groups/fast/schedule`
/// @param value empty if the option is removed, and has its default
public record SupposedSetting(Optional<String> table, String key, Optional<YsonNode> value) {
    private static final Pattern FORM =
            Pattern.compile("(?:([^=]+):)?([^:=]+)=(.*)", Pattern.DOTALL);

    /// The last part of options whose values are texts that may look like YSON of another type.
    private static final Set<String> TEXTS =
            Set.of("tablet_balancer_schedule", "schedule", "metric");

    /// Reads `KEY=VALUE` or `TABLE:KEY=VALUE`. The value is YSON; what is not YSON, and every
    /// formula, is a string as it stands. No value removes the option.
    public static SupposedSetting parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new StatusException(
                    Status.BAD_REQUEST,
                    ("'%s' is not a setting; give KEY=VALUE for an option of the bundle, such as"
                                    + " max_tablet_size=1000000000, or /path/to/table:KEY=VALUE for"
                                    + " an option of a table")
                            .formatted(text));
        }
        String key = matcher.group(2).strip();
        String value = matcher.group(3).strip();
        return new SupposedSetting(
                Optional.ofNullable(matcher.group(1)).map(String::strip),
                key,
                value.isEmpty() ? Optional.empty() : Optional.of(value(key, value)));
    }

    private static YsonNode value(String key, String text) {
        YsonNode asText = YsonNode.text(text);
        YsonNode given = YsonNode.parse(Bytes.utf8(text)).map(YsonNode::bare).orElse(asText);
        boolean isText = TEXTS.contains(key.substring(key.lastIndexOf('/') + 1));
        return isText && !(given instanceof YsonNode.Text) ? asText : given;
    }

    public SupposedSetting ofTable(String path) {
        return new SupposedSetting(Optional.of(path), key, value);
    }

    List<String> path() {
        return List.of(key.split("/", -1));
    }

    /// `max_tablet_size = 1000`, with the table in front.
    public String text() {
        return "%s%s %s"
                .formatted(
                        table.map(path -> path + ":").orElse(""),
                        key,
                        value.map(node -> "= " + node.print()).orElse("has its default"));
    }
}
