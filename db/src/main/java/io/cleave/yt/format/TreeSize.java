package io.cleave.yt.format;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;

/// Estimates how much heap a tree takes.
public final class TreeSize {
    private static final long NODE_BYTES = 48;
    private static final long MEMBER_BYTES = 96;
    private static final long MAP_BYTES = 200;

    private TreeSize() {}

    public static long of(YsonNode node) {
        return switch (node) {
            case YsonNode.Entity _,
                    YsonNode.Bool _,
                    YsonNode.Int64 _,
                    YsonNode.Uint64 _,
                    YsonNode.Real _ ->
                    NODE_BYTES;
            case YsonNode.Text(Bytes text) -> NODE_BYTES + text.length();
            case YsonNode.Items(var items) -> {
                long bytes = NODE_BYTES;
                for (YsonNode item : items) {
                    bytes += of(item);
                }
                yield bytes;
            }
            case YsonNode.Members(var members) -> {
                long bytes = MAP_BYTES;
                for (var member : members.entrySet()) {
                    bytes += MEMBER_BYTES + member.getKey().length() + of(member.getValue());
                }
                yield bytes;
            }
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value) ->
                    NODE_BYTES + of(attributes) + of(value);
        };
    }
}
