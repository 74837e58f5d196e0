package io.cleave.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapSizeTest {
    @Test
    void oneWideCharacterMakesAllOfATextTakeTwoBytes() {
        long narrow = HeapSize.of(Value.text("é".repeat(1000)));
        assertThat(HeapSize.of(Value.text("é".repeat(999) + "я"))).isEqualTo(narrow + 1000);
    }

    @Test
    void theUpperBoundOfATextIsWhatItTakesWithWideCharacters() {
        assertThat(HeapSize.atMost(Value.text("e".repeat(1000))))
                .isEqualTo(HeapSize.of(Value.text("я".repeat(1000))));
    }
}
