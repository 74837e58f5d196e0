package io.cleave.yt.format;

import io.cleave.value.YsonNode;

/// The names that YTsaurus has for the types of values.
public final class YsonTypes {
    private YsonTypes() {}

    public static String name(YsonNode value) {
        return switch (value) {
            case YsonNode.Entity _ -> "entity";
            case YsonNode.Bool _ -> "boolean";
            case YsonNode.Int64 _ -> "int64";
            case YsonNode.Uint64 _ -> "uint64";
            case YsonNode.Real _ -> "double";
            case YsonNode.Text _ -> "string";
            case YsonNode.Items _ -> "list";
            case YsonNode.Members _ -> "map";
            case YsonNode.Attributed(_, YsonNode inner) -> name(inner);
        };
    }
}
