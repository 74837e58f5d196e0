package io.cleave.yt.tree;

import io.cleave.catalog.CypressNode;
import io.cleave.tree.CypressChange;
import io.cleave.value.YsonNode;

/// Estimates the heap that a change takes while its transaction is open: the change itself, and its
/// part in the view of the transaction.
final class ChangeBytes {
    private static final long CHANGE = 1024;
    private static final long VALUE = 48;

    private ChangeBytes() {}

    static long of(CypressChange change) {
        return CHANGE
                + switch (change) {
                    case CypressChange.PutRow(CypressNode row) -> row.bytes();
                    case CypressChange.PutValue put -> put.value().length();
                    case CypressChange.Touch touch -> touch.absent().bytes();
                    case CypressChange.PutOwner put -> put.absent().bytes() + put.owner().length();
                    case CypressChange.PutAttribute put ->
                            put.absent().bytes() + put.value().map(ChangeBytes::of).orElse(0L);
                    case CypressChange.AlterTable alter ->
                            alter.value().map(ChangeBytes::of).orElse(0L);
                    case CypressChange.MakeDirectory _,
                            CypressChange.RemoveDirectory _,
                            CypressChange.RemoveTable _,
                            CypressChange.RemoveView _,
                            CypressChange.MoveTable _,
                            CypressChange.CopyAcl _,
                            CypressChange.RemoveRow _ ->
                            0L;
                };
    }

    static long of(YsonNode value) {
        return switch (value) {
            case YsonNode.Text(var text) -> VALUE + text.length();
            case YsonNode.Items(var items) ->
                    VALUE + items.stream().mapToLong(ChangeBytes::of).sum();
            case YsonNode.Members(var members) -> {
                long bytes = VALUE;
                for (var member : members.entrySet()) {
                    bytes += VALUE + member.getKey().length() + of(member.getValue());
                }
                yield bytes;
            }
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode inner) ->
                    VALUE + of(attributes) + of(inner);
            default -> VALUE;
        };
    }
}
