package io.cleave.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.cli.Main.UsageException;
import io.cleave.node.NodeOptions;
import io.cleave.node.YtPort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

class StartArgumentsTest {
    @Test
    void storageTakesThePlaceOfAFolder() {
        String url = "bookkeeper://zk:2181/cleave";
        assertThat(read("start --storage " + url).orElseThrow().storage()).contains(url);
        assertThat(readByPicocli("start --storage " + url).storage()).contains(url);
    }

    @Test
    void everyOptionIsRead() {
        assertThat(read("start --data d --grpc-port 1 --http-port=2 --yt-port 3 --database /a/b"))
                .contains(
                        new StartArguments.Request(
                                new NodeOptions(
                                                Optional.of(Path.of("d")),
                                                "localhost",
                                                1,
                                                2,
                                                "/a/b")
                                        .withYtPort(new YtPort.Chosen(3)),
                                Optional.empty(),
                                false));
    }

    @Test
    void aLossIsAcceptedForFoldersOnly() {
        assertThat(readByPicocli("start --accept-loss").acceptsLoss()).isTrue();
        assertThat(readByPicocli("start --data d").acceptsLoss()).isFalse();
        assertThatThrownBy(() -> readByPicocli("start --accept-loss --storage bookkeeper://zk/c"))
                .hasMessageContaining("applies only to folders");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "start",
                "start --data /x/y --grpc-port 0",
                "start --http-port=0 --data=z",
                "start --database /db",
                "start --storage bookkeeper://zk:2181/cleave --cells 2",
                "start --cells 4",
                "start --yt-port 0",
                "start --no-yt --data x",
                "start --http-host db.example.org --http-host=[fd00::1]",
                "start --auto-partitioning off --split-cpu 12.5 --load-window=5",
                "start --cell-cpu 150 --cell-mb=2048",
                "start --merge-window 60 --merge-age 30 --tail-horizon 20 --flush-age 10",
                "start --keep-decisions 30",
                "start --time-zone Europe/Berlin --data x",
                "start --medium hdd=/mnt/big --medium=nvme=fast --data x"
            })
    void bothWaysOfReadingAgree(String line) {
        assertThat(read(line)).contains(readByPicocli(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "start --grpc-port 65536",
                "start --http-port=-1",
                "start --keep-decisions 0",
                "start --keep-decisions 3651",
                "start --keep-decisions week",
                "start --time-zone Berlin",
                "start --yt-port 65536",
                "start --no-yt --yt-port 1",
                "start --database local",
                "start --storage bookkeeper://zk:2181/cleave --data d",
                "start --medium hdd=/mnt --storage bookkeeper://zk:2181/cleave",
                "start --cells 0",
                "start --http-host db:8765",
                "start --http-host http://db",
                "start --cells 1001",
                "start --auto-partitioning maybe",
                "start --split-cpu much",
                "start --split-cpu 0",
                "start --cell-cpu 0",
                "start --cell-mb 1.5",
                "start --merge-age 1",
                "start --merge-window 5",
                "start --database /a//b",
                "start --medium HDD=/mnt"
            })
    void whatIsWrongIsLeftToTheOneThatComplains(String line) {
        assertThat(read(line)).isEmpty();
        assertThatThrownBy(() -> readByPicocli(line)).isInstanceOf(UsageException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sql",
                "start --help",
                "start --data",
                "start --data a --data b",
                "start --grpc-port x",
                "start --cells many",
                "start --medium hdd",
                "start --medium hdd=",
                "start extra"
            })
    void whatIsNotUnderstoodIsLeftToPicocli(String line) {
        assertThat(read(line)).isEmpty();
    }

    private static Optional<StartArguments.Request> read(String line) {
        return StartArguments.read(line.split(" "));
    }

    private static StartArguments.Request readByPicocli(String line) {
        var command = new StartCommand();
        String[] words = line.split(" ");
        new CommandLine(command).parseArgs(Arrays.copyOfRange(words, 1, words.length));
        return command.request();
    }
}
