package io.cleave.yt.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cleave.base.Status;
import io.cleave.base.StatusException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;

/// What open transactions of the tree keep is taken from a pool, and is given back when they end.
class TransactionMemoryTest {
    private static final String MEGABYTE = "\"" + "x".repeat(1 << 20) + "\"";

    private final TestTree tree = new TestTree(1);
    private String outer;

    @BeforeEach
    void begin() {
        run("create", "{type=document;path=\"//home/d\"}");
        outer = start("");
    }

    @AfterEach
    void close() {
        tree.close();
    }

    private String run(String name, String parameters) {
        return tree.run(name, parameters, Optional.empty());
    }

    private String start(String parent) {
        String id = run("start_transaction", "{return_only_value=%true" + parent + "}");
        return ";transaction_id=" + id;
    }

    private void set(String path, String within) {
        String parameters = "{path=\"" + path + "\"" + within + "}";
        assertThat(tree.run("set", parameters, Optional.of(MEGABYTE))).isEqualTo("{}");
    }

    @Test
    void aTransactionCannotTakeMoreThanThereIs() {
        assertThatExceptionOfType(StatusException.class)
                .isThrownBy(
                        () -> {
                            for (int change = 0; change < 100; change++) {
                                set("//home/d", outer);
                            }
                        })
                .matches(e -> e.status() == Status.OVERLOADED)
                .withMessageContaining("transactions");
        run("abort_transaction", "{" + outer.substring(1) + "}");
        assertThat(tree.memory().usedBytes()).isZero();
    }

    @Test
    void attributesCountEachTimeTheyAreKept() {
        set("//home/d/@a", "");
        set("//home/d/@b", outer);
        set("//home/d/@c", outer);
        // The node as it was before each change, and the new value.
        assertThat(tree.memory().usedBytes()).isGreaterThan(5 << 20);
    }

    @Test
    void aNestedTransactionPassesOnWhatItHas() {
        String inner = start(outer);
        set("//home/d", inner);
        run("commit_transaction", "{" + inner.substring(1) + "}");
        assertThat(tree.memory().usedBytes()).isGreaterThan(1 << 20);
        run("commit_transaction", "{" + outer.substring(1) + "}");
        assertThat(tree.memory().usedBytes()).isZero();
    }

    @Test
    void locksAndExpiredTransactionsGiveItBack() {
        long before = tree.memory().usedBytes();
        run("lock", "{path=\"//home/d\"" + outer + "}");
        assertThat(tree.memory().usedBytes()).isGreaterThan(before);
        run("unlock", "{path=\"//home/d\"" + outer + "}");
        assertThat(tree.memory().usedBytes()).isEqualTo(before);
        tree.pass(Duration.ofHours(2));
        run("list", "{path=\"//sys/transactions\"}");
        assertThat(tree.memory().usedBytes()).isZero();
    }
}
