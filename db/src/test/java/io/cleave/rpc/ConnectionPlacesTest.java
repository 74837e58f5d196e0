package io.cleave.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// How many connections there may be, and which one goes for another.
class ConnectionPlacesTest {
    /// Three of them for one address.
    private final TestCalls calls = TestCalls.ofConnections(4);

    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        calls.close();
    }

    private RawClient open() throws Exception {
        RawClient client = RawClient.greeted(calls.port());
        clients.add(client);
        return client;
    }

    /// From another address of this machine than the others.
    private RawClient openFrom(String address) throws Exception {
        RawClient client =
                RawClient.greeted(new RawClient(calls.port(), InetAddress.getByName(address)));
        clients.add(client);
        return client;
    }

    private RawClient openWithCall() throws Exception {
        RawClient client = open();
        client.send("call 1 test/Silent");
        assertThat(client.answers()).isEmpty();
        return client;
    }

    @Test
    void aConnectionThatIsOneTooManyIsToldSo() throws Exception {
        RawClient first = openWithCall();
        openWithCall();
        openWithCall();
        RawClient refused = new RawClient(calls.port());
        clients.add(refused);
        assertThat(refused.lastWords().get())
                .isEqualTo(
                        "GOAWAY last=0 ENHANCE_YOUR_CALM: 3 connections are open, 3 of them from"
                            + " this address, and all have open calls. The limit is 4, and 3 from"
                            + " one address. Close connections, or use one connection for several"
                            + " calls");
        assertThat(first.answers()).isEmpty();
        assertThat(calls.server().refusedConnections()).isEqualTo(1);
        first.close();
        while (calls.server().connections().size() > 2) {
            Thread.sleep(1);
        }
        assertThat(openWithCall().answers()).isEmpty();
    }

    @Test
    void oneWithoutCallsMakesRoom() throws Exception {
        RawClient busy = openWithCall();
        RawClient used = open();
        used.send("call 1 test/Echo");
        used.send("message 1 end hello");
        assertThat(used.answers()).contains("DATA 1 hello");
        RawClient useless = open();
        RawClient next = openWithCall();
        assertThat(useless.lastWords().get())
                .isEqualTo(
                        "GOAWAY last=0 NO_ERROR: another connection needs the place of this one,"
                                + " which has no calls");
        openWithCall();
        assertThat(used.lastWords().get()).startsWith("GOAWAY last=1 NO_ERROR");
        assertThat(busy.answers()).isEmpty();
        assertThat(next.answers()).isEmpty();
        assertThat(calls.server().evictedConnections()).isEqualTo(2);
        assertThat(calls.server().refusedConnections()).isZero();
    }

    @Test
    void anAddressThatIsAllBusyIsPassedOver() throws Exception {
        openWithCall();
        openWithCall();
        openWithCall();
        RawClient idle = openFrom("127.0.0.2");
        RawClient third = openFrom("127.0.0.3");
        assertThat(idle.lastWords().get()).startsWith("GOAWAY last=0 NO_ERROR");
        third.send("call 1 test/Echo");
        third.send("message 1 end hello");
        assertThat(third.answers()).contains("DATA 1 hello");
    }
}
