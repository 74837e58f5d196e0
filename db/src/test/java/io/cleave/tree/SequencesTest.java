package io.cleave.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.StatusException;
import io.cleave.schema.Column;
import io.cleave.schema.Preset;
import io.cleave.schema.SchemeChange;
import io.cleave.schema.Sequence;
import io.cleave.schema.Table;
import io.cleave.schema.TableDefinition;
import io.cleave.schema.TableDefinition.Layout;
import io.cleave.schema.TableDefinition.NewColumn;
import io.cleave.schema.TableOptions;
import io.cleave.testkit.TestStore;
import io.cleave.value.Type.Primitive;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Numbers of serial columns: none is given twice, whatever happens.
class SequencesTest {
    private static final String PATH = "/local/t";

    private final TestStore store = new TestStore();

    @AfterEach
    void close() {
        store.close();
    }

    private static TableDefinition definition() {
        return definition(Sequence.serial(Primitive.INT64));
    }

    private static TableDefinition definition(Sequence sequence) {
        return new TableDefinition(
                PATH,
                List.of(
                        new NewColumn(
                                "id",
                                Primitive.INT64,
                                true,
                                Column.DEFAULT_FAMILY,
                                Optional.of(new Preset.FromSequence(sequence)))),
                List.of("id"),
                List.of(),
                TableOptions.DEFAULT,
                new Layout.Single(),
                Map.of());
    }

    private void create() {
        assertThat(store.tree().createTable(definition(), false)).isTrue();
    }

    private long next() {
        return store.tablets().nextValue(table(), 0);
    }

    private Table table() {
        return store.tablets().table(PATH);
    }

    private List<Long> next(int count) {
        List<Long> numbers = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            numbers.add(next());
        }
        return numbers;
    }

    @Test
    void afterACrashOnlyGreaterNumbersAreGiven() {
        create();
        long last = 0;
        for (int round = 0; round < 20; round++) {
            for (long number : next(round * 7 + 1)) {
                assertThat(number).isGreaterThan(last);
                last = number;
            }
            store.restart();
        }
    }

    @Test
    void afterACleanStopTheyGoOnWithoutAGap() {
        create();
        long expected = 1;
        for (int round = 0; round < 20; round++) {
            for (long number : next(round * 7 + 1)) {
                assertThat(number).isEqualTo(expected++);
            }
            store.tablets().close();
            store.restart();
        }
    }

    @Test
    void threadsNeverShareANumber() throws InterruptedException {
        create();
        Set<Long> given = ConcurrentHashMap.newKeySet();
        Table table = table();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int index = 0; index < 1000; index++) {
                                            given.add(store.tablets().nextValue(table, 0));
                                        }
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(given).hasSize(4000).allMatch(number -> number >= 1 && number <= 4000);
    }

    @Test
    void aNewTableOfTheNameBeginsAnew() {
        create();
        assertThat(next(3)).containsExactly(1L, 2L, 3L);
        assertThat(store.tree().dropTable(PATH, false)).isTrue();
        create();
        assertThat(next(2)).containsExactly(1L, 2L);
    }

    @Test
    void aRestartOfTheSequenceIsDurable() {
        create();
        assertThat(next(3)).containsExactly(1L, 2L, 3L);
        alter(OptionalLong.of(100));
        store.restart();
        assertThat(next(2)).containsExactly(100L, 101L);
        assertThatThrownBy(() -> alter(OptionalLong.of(0)))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("cannot be less than min value: 1");
    }

    @Test
    void aSequenceIsChangedAndMovedInOneCommit() {
        create();
        assertThat(next(3)).containsExactly(1L, 2L, 3L);
        long before = store.systemLog().nextPosition();
        alter(OptionalLong.of(10), Optional.of(OptionalLong.of(100)));
        assertThat(store.systemLog().nextPosition()).isEqualTo(before + 1);
        assertThat(next(2)).containsExactly(100L, 110L);
        alter(OptionalLong.of(5), Optional.empty());
        store.restart();
        assertThat(next(2)).containsExactly(120L, 125L);
    }

    private void alter(OptionalLong restart) {
        alter(OptionalLong.empty(), Optional.of(restart));
    }

    private void alter(OptionalLong increment, Optional<OptionalLong> restart) {
        var change =
                new SchemeChange.AlterSequence(
                        PATH + "/_serial_column_id",
                        false,
                        OptionalLong.empty(),
                        increment,
                        restart);
        assertThat(store.tree().change(change)).isTrue();
    }

    @Test
    void aSequenceThatCyclesBeginsAgainWithItsLeastNumber() {
        var described = new Sequence.Description("numbers", 5, Long.MAX_VALUE, true);
        Sequence sequence = new Sequence(0, 5, 2, 2, 9, described);
        assertThat(store.tree().createTable(definition(sequence), false)).isTrue();
        assertThat(next(8)).containsExactly(5L, 7L, 9L, 2L, 4L, 6L, 8L, 2L);
        store.restart();
        assertThat(table().columns().getFirst().sequence().orElseThrow().description())
                .isEqualTo(described);
        assertThat(table().columns().getFirst().sequenceName()).isEqualTo("numbers");
        // Those up to 8 were in a block that the crash has lost.
        assertThat(next(2)).containsExactly(2L, 4L);
    }

    @Test
    void aTableThatWasBeingFilledIsGoneAfterACrash() {
        Table hidden = store.tree().createHidden(definition());
        assertThat(store.tree().find(hidden.path())).isPresent();
        assertThat(store.tree().list("/local")).isEmpty();
        store.restart();
        assertThat(store.tree().find(hidden.path())).isEmpty();
        assertThat(store.tablets().infos()).isEmpty();
    }

    @Test
    void aHiddenTableNamesItsOwnerAndStaysWhileThatLives() {
        Table hidden = store.tree().createHidden(definition());
        String name = hidden.path().substring("/local/.tmp/".length());
        long owner = Long.parseLong(name.substring(0, name.indexOf('-')));
        var view = store.catalog().view();
        assertThat(HiddenTables.removal(view, "/local", Set.of(owner))).isEmpty();
        assertThat(HiddenTables.removal(view, "/local", Set.of(owner + 1))).isPresent();
    }
}
