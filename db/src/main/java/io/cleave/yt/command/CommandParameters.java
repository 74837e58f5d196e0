package io.cleave.yt.command;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtException;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The parameters of a call. Unknown parameters are ignored, because clients also send parameters
/// for other servers.
public final class CommandParameters {
    private final YsonNode.Members members;

    /// The values that are no entities. A command looks for many parameters that are not given.
    private final Map<String, YsonNode> known;

    public CommandParameters(YsonNode.Members members) {
        this.members = members;
        this.known = HashMap.newHashMap(members.members().size());
        members.members()
                .forEach(
                        (name, value) -> {
                            if (!(value.bare() instanceof YsonNode.Entity)) {
                                known.put(name.utf8(), value);
                            }
                        });
    }

    public YsonNode.Members members() {
        return members;
    }

    /// The value of a parameter, with its attributes. An entity (`#`) counts as absent.
    public Optional<YsonNode> find(String name) {
        return Optional.ofNullable(known.get(name));
    }

    public YsonNode require(String name) {
        return find(name)
                .orElseThrow(
                        () ->
                                new YtException(
                                        YtCodes.GENERIC,
                                        "Missing required parameter /%s".formatted(name)));
    }

    public Optional<String> text(String name) {
        return find(name)
                .map(
                        value ->
                                switch (value.bare()) {
                                    case YsonNode.Text(Bytes bytes) -> bytes.utf8();
                                    default -> throw mismatch(name, "string", value);
                                });
    }

    public String requireText(String name) {
        var _ = require(name);
        return text(name).orElseThrow();
    }

    /// A boolean. Clients also send the strings "true" and "false", and 0 and 1.
    public boolean flag(String name, boolean byDefault) {
        return find(name)
                .map(
                        value ->
                                switch (value.bare()) {
                                    case YsonNode.Bool(boolean flag) -> flag;
                                    case YsonNode.Int64(long number) when isBit(number) ->
                                            number == 1;
                                    case YsonNode.Uint64(long number) when isBit(number) ->
                                            number == 1;
                                    case YsonNode.Text(Bytes bytes)
                                            when bytes.utf8().equals("true") ->
                                            true;
                                    case YsonNode.Text(Bytes bytes)
                                            when bytes.utf8().equals("false") ->
                                            false;
                                    default -> throw mismatch(name, "boolean", value);
                                })
                .orElse(byDefault);
    }

    private static boolean isBit(long number) {
        return number == 0 || number == 1;
    }

    /// An integer, signed or unsigned, that fits into 63 bits.
    public Optional<Long> number(String name) {
        return find(name)
                .map(
                        value ->
                                switch (value.bare()) {
                                    case YsonNode.Int64(long number) -> number;
                                    case YsonNode.Uint64(long number) when number >= 0 -> number;
                                    default -> throw mismatch(name, "int64", value);
                                });
    }

    private static YtException mismatch(String name, String expected, YsonNode value) {
        return new YtException(
                YtCodes.GENERIC,
                "Cannot parse parameter /%s: expected \"%s\", got \"%s\""
                        .formatted(name, expected, typeName(value.bare())));
    }

    /// The name that YTsaurus has for the type of a value.
    public static String typeName(YsonNode value) {
        return value.typeName();
    }
}
