package io.cleave.exec.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.Vector;

import org.junit.jupiter.api.Test;

class PartialGroupsTest {
    private static final int LENGTH = 10_000;

    @Test
    void theStringsOfKeysAndOfExtremesAreCounted() {
        Vector strings = Vector.of(Primitive.UTF8);
        strings.add(Value.text("a".repeat(LENGTH)));
        strings.add(Value.text("b".repeat(2 * LENGTH)));
        Vector keys = Vector.of(Primitive.UTF8);
        keys.add(Value.text("k".repeat(LENGTH)));
        keys.add(Value.text("k".repeat(LENGTH)));
        var max = new PartialExtreme(Primitive.UTF8, 1);
        var groups = new PartialGroups(new Type[] {Primitive.UTF8}, new PartialAggregate[] {max});
        groups.add(new Vector[] {keys}, new Vector[] {strings}, new int[] {0, 1}, 2);
        assertThat(groups.count()).isEqualTo(1);
        // The key as it was and as bytes to compare; of the values, the better one.
        assertThat(groups.bytes()).isBetween(4L * LENGTH, 5L * LENGTH);
    }
}
