package io.cleave.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.Bytes;
import io.cleave.base.CorruptionException;
import io.cleave.bookkeeper.LedgerList.Span;

import org.junit.jupiter.api.Test;

import java.util.List;

class LedgerListTest {
    private static final LedgerList THREE =
            LedgerList.EMPTY
                    .with(new Span(12, 0, 3))
                    .with(new Span(15, 100, 3))
                    .with(new Span(16, 250, 7));

    @Test
    void itIsTextThatReadsBack() {
        LedgerList list = THREE.trimmedBefore(100);
        assertThat(list.encode().utf8())
                .isEqualTo(
                        """
                        cleave log 1
                        epoch 7
                        trimmed 12
                        ledger 15 100 3
                        ledger 16 250 7
                        """);
        assertThat(LedgerList.decode("node", list.encode())).isEqualTo(list);
        assertThat(LedgerList.decode("node", LedgerList.EMPTY.encode()))
                .isEqualTo(LedgerList.EMPTY);
    }

    @Test
    void whatIsNoListIsRefused() {
        for (String text :
                List.of(
                        "",
                        "cleave log 2\nepoch 1\n",
                        "cleave log 1\nepoch x\n",
                        "cleave log 1\nepoch 1\nledger 1 2\n",
                        "cleave log 1\nepoch 1\nsegment 1\n",
                        "cleave log 1\nepoch 2\nledger 1 10 2\nledger 2 5 2\n")) {
            assertThatThrownBy(() -> LedgerList.decode("node", Bytes.utf8(text)))
                    .as(text)
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("node");
        }
    }

    @Test
    void aPositionIsInOneLedger() {
        assertThat(THREE.indexOf(0)).isZero();
        assertThat(THREE.indexOf(99)).isZero();
        assertThat(THREE.indexOf(100)).isEqualTo(1);
        assertThat(THREE.indexOf(249)).isEqualTo(1);
        assertThat(THREE.indexOf(9999)).isEqualTo(2);
        assertThat(THREE.indexOfLedger(16)).isEqualTo(2);
        assertThat(THREE.indexOfLedger(99)).isEqualTo(-1);
    }

    @Test
    void trimmingKeepsTheLastLedgerAndWhatIsNeeded() {
        assertThat(THREE.trimmedBefore(99)).isEqualTo(THREE);
        assertThat(THREE.trimmedBefore(100).firstPosition()).isEqualTo(100);
        assertThat(THREE.trimmedBefore(9999).firstPosition()).isEqualTo(250);
        assertThat(THREE.trimmedBefore(9999).trimmed()).containsExactly(12L, 15L);
        assertThat(THREE.trimmedBefore(9999).without(List.of(12L)).trimmed()).containsExactly(15L);
    }

    @Test
    void aLedgerWithoutRecordsIsReplaced() {
        LedgerList list = THREE.with(new Span(20, 250, 8));
        assertThat(list.ledgers()).hasSize(3);
        assertThat(list.last()).isEqualTo(new Span(20, 250, 8));
        assertThat(list.trimmed()).containsExactly(16L);
        assertThat(list.epoch()).isEqualTo(8);
    }
}
