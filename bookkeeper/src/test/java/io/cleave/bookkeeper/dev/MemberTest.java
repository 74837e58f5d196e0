package io.cleave.bookkeeper.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cleave.base.CorruptionException;
import io.cleave.bookkeeper.dev.Member.Kind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

class MemberTest {
    @TempDir Path folder;

    @Test
    void theFileHasWhatWasPut() throws IOException {
        ClusterFile file = ClusterFile.read(folder);
        assertThat(file.members()).isEmpty();
        var node = new Member(Kind.NODE, 1, 2136, 8765).started(ProcessHandle.current());
        file.put(node);
        file.put(new Member(Kind.BOOKIE, 2, 100, 0));
        file.put(new Member(Kind.BOOKIE, 1, 200, 0));
        file.put(new Member(Kind.BOOKIE, 2, 300, 0));

        ClusterFile again = ClusterFile.read(folder);

        assertThat(again.members(Kind.BOOKIE)).extracting(Member::port).containsExactly(200, 300);
        assertThat(again.find(Kind.NODE, 1)).contains(node);
        assertThat(again.find(Kind.ZOOKEEPER, 1)).isEmpty();
    }

    @Test
    void aProcessIsKnownByItsIdAndByWhenItBegan() {
        var member = new Member(Kind.BOOKIE, 1, 100, 0).started(ProcessHandle.current());
        assertThat(member.process()).contains(ProcessHandle.current());
        var other = new Member(Kind.BOOKIE, 1, 100, 0, member.pid(), member.startedMillis() + 1);
        assertThat(other.process()).isEmpty();
        assertThat(new Member(Kind.BOOKIE, 1, 100, 0).process()).isEmpty();
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        Files.writeString(folder.resolve("cluster.txt"), "bookie one\n");
        assertThatThrownBy(() -> ClusterFile.read(folder))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("cluster.txt");
    }

    @Test
    void oneCommandAtATimeWorksOnAFolder() throws Exception {
        JvmCommand jvm = JvmCommand.ofThisProcess("none");
        try (var cluster = DevCluster.open(folder, jvm)) {
            assertThatThrownBy(() -> DevCluster.open(folder, jvm))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("another command");
            assertThatThrownBy(cluster::storage)
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("cluster up");
        }
    }

    @Test
    void aPortIsFreeAndNotOneOfOutgoingConnections() throws IOException {
        var random = new Random(1);
        int first = FreePort.choose(random, _ -> false);
        assertThat(first).isBetween(1024, 32_767);
        try (var socket = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            // The same choices again.
            int second = FreePort.choose(new Random(1), _ -> false);
            assertThat(second).isNotEqualTo(socket.getLocalPort());
            assertThat(FreePort.choose(new Random(1), port -> port == second))
                    .isNotIn(first, second);
        }
    }
}
