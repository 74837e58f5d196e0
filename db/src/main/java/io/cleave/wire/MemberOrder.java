package io.cleave.wire;

import io.cleave.value.Type;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The order in which members of a Struct go out: by name, as YDB has them. Clients sort the names
/// of a Struct type that they receive, and then take its values by position.
final class MemberOrder {
    private MemberOrder() {}

    /// For each place on the wire, the place of the member in `members`.
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
