package io.cleave.wire.value;

import io.cleave.value.Type;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The order in which the members of a Struct are sent: by name, as in YDB. Clients sort the member
/// names of the type that they receive, and then read the values by position.
final class MemberOrder {
    private MemberOrder() {}

    /// For each position on the wire, the index of the member in `members`.
    static int[] of(List<Type.Member> members) {
        int count = members.size();
        for (int index = 1; index < count; index++) {
            if (members.get(index - 1).name().compareTo(members.get(index).name()) > 0) {
                return sorted(members);
            }
        }
        return IntStream.range(0, count).toArray();
    }

    private static int[] sorted(List<Type.Member> members) {
        return IntStream.range(0, members.size())
                .boxed()
                .sorted(Comparator.comparing((Integer index) -> members.get(index).name()))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
