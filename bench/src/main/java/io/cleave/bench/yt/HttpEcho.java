package io.cleave.bench.yt;

import io.cleave.base.SystemEnv;
import io.cleave.http.Answer;
import io.cleave.http.HostNames;
import io.cleave.http.HttpLimits;
import io.cleave.http.HttpRoutes;
import io.cleave.http.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/// A process that reads each request and answers with the same bytes, on the transport of the
/// server: what a request costs without a database.
final class HttpEcho {
    private static final int MAX_BODY_BYTES = 1 << 20;

    private HttpEcho() {}

    public static void main(String[] args) throws IOException {
        byte[] body = Base64.getDecoder().decode(args[0]);
        var env = new SystemEnv();
        var routes =
                new HttpRoutes()
                        .exchanged(
                                "/",
                                MAX_BODY_BYTES,
                                exchange -> {
                                    Objects.checkIndex(
                                            exchange.request().bodyBytes().length, MAX_BODY_BYTES);
                                    exchange.answer(
                                            Answer.of(200, "application/octet-stream", body));
                                });
        HttpServer server =
                HttpServer.start(
                        env,
                        HttpLimits.DEFAULT,
                        HostNames.of(env, List.of()),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        routes);
        System.out.println(server.port());
        while (System.in.read() >= 0) {
            // The process ends when its input ends.
        }
        server.close();
        System.exit(0);
    }
}
