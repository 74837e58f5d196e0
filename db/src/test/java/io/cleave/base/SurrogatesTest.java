package io.cleave.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SurrogatesTest {
    @Test
    void aPairIsCutBeforeIt() {
        assertThat(Surrogates.cut("a😀b", 4)).isEqualTo("a😀b");
        assertThat(Surrogates.cut("a😀b", 3)).isEqualTo("a😀");
        assertThat(Surrogates.cut("a😀b", 2)).isEqualTo("a");
        assertThat(Surrogates.cut("a😀b", 1)).isEqualTo("a");
        assertThat(Surrogates.cut("a😀b", 0)).isEmpty();
    }

    @Test
    void halvesAreReplaced() {
        String whole = "a😀b";
        assertThat(Surrogates.replaced(whole)).isSameAs(whole);
        assertThat(Surrogates.replaced("a\uD83Db")).isEqualTo("a\uFFFDb");
        assertThat(Surrogates.replaced("\uDE00😀\uD83D")).isEqualTo("\uFFFD😀\uFFFD");
    }
}
