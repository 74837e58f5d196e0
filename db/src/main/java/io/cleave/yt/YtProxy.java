package io.cleave.yt;

import io.cleave.base.Env;
import io.cleave.http.Answer;
import io.cleave.http.HostNames;
import io.cleave.http.HttpLimits;
import io.cleave.http.HttpRoutes;
import io.cleave.http.HttpServer;
import io.cleave.memory.MemoryBudget;
import io.cleave.query.Database;
import io.cleave.yt.command.Command;
import io.cleave.yt.error.YtCodes;
import io.cleave.yt.error.YtError;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// Serves YTsaurus' API over HTTP on a port of its own.
public final class YtProxy implements AutoCloseable {
    /// Limit of a request body as it is sent, before it is unpacked.
    static final int MAX_BODY_BYTES = 64 << 20;

    /// Limit of the requests in progress.
    static final int REQUESTS = 256;

    /// Limit of the requests in progress from one address.
    static final int PEER_REQUESTS = 128;

    private final HttpServer server;
    private final TransactionExpiry expiry;

    private YtProxy(HttpServer server, TransactionExpiry expiry) {
        this.server = server;
        this.expiry = expiry;
    }

    /// Serves the commands on a store. Starts to listen; port 0 takes a free port. `hosts` are
    /// further names of this machine.
    public static YtProxy start(
            YtCommands.Store store, String host, int port, Collection<String> hosts)
            throws IOException {
        YtCommands commands = YtCommands.of(store);
        var proxy =
                new YtProxy(
                        listen(
                                store.env(),
                                store.database(),
                                store.database().memory(),
                                commands.all(),
                                host,
                                port,
                                hosts),
                        new TransactionExpiry(store.env(), commands.expire()));
        proxy.expiry.start();
        return proxy;
    }

    /// Serves commands that need no background work.
    static YtProxy start(
            Env env,
            Database database,
            List<Command> commands,
            String host,
            int port,
            Collection<String> hosts)
            throws IOException {
        return start(env, database, database.memory(), commands, host, port, hosts);
    }

    /// Serves commands with the given memory budget.
    static YtProxy start(
            Env env,
            Database database,
            MemoryBudget memory,
            List<Command> commands,
            String host,
            int port,
            Collection<String> hosts)
            throws IOException {
        return new YtProxy(
                listen(env, database, memory, commands, host, port, hosts),
                new TransactionExpiry(env, () -> {}));
    }

    private static HttpServer listen(
            Env env,
            Database database,
            MemoryBudget memory,
            List<Command> commands,
            String host,
            int port,
            Collection<String> hosts)
            throws IOException {
        var table = new CommandTable(commands);
        var runner = new CommandRunner(new MutationCache(env, memory.requests()));
        table.add(new ExecuteBatch(env, memory.results(), table, runner));
        var callers = new ProxyCallers(database);
        var handler = new CommandHandler(env, memory, table, runner, callers);
        var requests = new ServiceRequests(table, handler, callers, env.wallMicros());
        var routes =
                new HttpRoutes()
                        .immediate("/ping", HttpRoutes.Host.ANY, () -> Answer.text(200, ""))
                        .exchanged(
                                "/",
                                maxBodyBytes(memory),
                                requests::prompt,
                                table::readsRows,
                                requests::handle)
                        .refused(YtProxy::refusal);
        return HttpServer.start(
                env,
                limits(memory),
                HostNames.of(env, hosts),
                new InetSocketAddress(host, port),
                routes,
                memory.requests());
    }

    /// A refusal as JSON. If an answer is not JSON, clients consider it broken, and send the
    /// request again.
    private static Answer refusal(int status, String why) {
        String advice = status == 413 ? "; send fewer rows at once" : "";
        int code = status == 503 ? YtCodes.REQUEST_QUEUE_SIZE_LIMIT : YtCodes.GENERIC;
        return ErrorAnswer.of(status, YtError.of(code, why + advice));
    }

    /// The largest body that fits into the share of one client.
    private static int maxBodyBytes(MemoryBudget memory) {
        return (int) Math.min(MAX_BODY_BYTES, memory.requests().limitBytes() / 2);
    }

    /// One address may use at most half of each limit, so no client can lock out the others.
    private static HttpLimits limits(MemoryBudget memory) {
        long bodyBytes = memory.requests().limitBytes();
        return new HttpLimits(
                1024,
                512,
                REQUESTS,
                PEER_REQUESTS,
                16 << 10,
                256 << 10,
                200,
                bodyBytes,
                bodyBytes / 2,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(120),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10));
    }

    public int port() {
        return server.port();
    }

    /// The number of open connections.
    public int connections() {
        return server.connections();
    }

    /// The number of running requests.
    public int requests() {
        return server.requests();
    }

    @Override
    public void close() {
        server.close();
        expiry.close();
    }
}
