package io.cleave.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

/// YTsaurus' own test vectors of its fingerprints; those of `farm_hash` are in FarmHashVectorsTest.
class FarmFingerprintTest {
    @Test
    void numbersStringsAndPairsHaveTheFingerprintsOfYTsaurus() {
        assertThat(Long.toUnsignedString(IntHash.farm(42))).isEqualTo("17355217915646310598");
        assertThat(Long.toUnsignedString(FarmHash.fingerprint64(bytes("MDwhat?"))))
                .isEqualTo("10997514911242581312");
        assertThat(Long.toUnsignedString(IntHash.farm(1234, 5678)))
                .isEqualTo("16769064555670434975");
    }

    @Test
    void stringsHaveTheFingerprintsOfFarmHash() {
        assertThat(FarmHash.fingerprint64(bytes(""))).isEqualTo(0x9AE16A3B2F90404FL);
        assertThat(FarmHash.fingerprint64(bytes("abc"))).isEqualTo(0x24A5B3A074E7F369L);
        assertThat(FarmHash.fingerprint64(bytes("test"))).isEqualTo(8581389452482819506L);
        assertThat(FarmHash.fingerprint64(bytes("test".repeat(8))))
                .isEqualTo(-4196240717365766262L);
        assertThat(FarmHash.fingerprint64(bytes("test".repeat(64))))
                .isEqualTo(3500507768004279527L);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
