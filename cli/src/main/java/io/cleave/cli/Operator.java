package io.cleave.cli;

import io.cleave.cli.Main.UsageException;

import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/// The common part of all operator commands: sends a request to the HTTP port of a server and
/// prints the answer.
final class Operator {
    private static final String DEFAULT_SERVER = "http://localhost:8765";

    /// Proves to the server that the request does not come from a web page: browsers do not let
    /// pages of other sites send this header.
    private static final String OWN_HEADER = "X-Cleave";

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--http",
            paramLabel = "URL",
            defaultValue = DEFAULT_SERVER,
            description = "The server's HTTP port. Default: ${DEFAULT-VALUE}.")
    private String server = DEFAULT_SERVER;

    /// A method and a path with parameters.
    static final class Request {
        private final String method;
        private final StringBuilder text;
        private char separator = '?';

        Request(String method, String path) {
            this.method = method;
            text = new StringBuilder(path);
        }

        Request with(String name, Object value) {
            String encoded = URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
            text.append(separator).append(name).append('=').append(encoded.replace("+", "%20"));
            separator = '&';
            return this;
        }
    }

    /// Sends the request and prints the answer; returns the exit code.
    int ask(Request request) throws InterruptedException {
        HttpRequest http;
        try {
            http =
                    HttpRequest.newBuilder(URI.create(address() + request.text))
                            .header("Accept", "text/plain")
                            .header(OWN_HEADER, "1")
                            .method(request.method, BodyPublishers.noBody())
                            .build();
        } catch (IllegalArgumentException _) {
            throw new UsageException(
                    "a server must look like " + DEFAULT_SERVER + ", not like '" + server + "'");
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(http, BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                spec.commandLine().getOut().print(answer.body());
                spec.commandLine().getOut().flush();
                return ExitCode.OK;
            }
            spec.commandLine().getErr().print("error: " + answer.body());
        } catch (ConnectException e) {
            spec.commandLine().getErr().println("cleave: no server at " + server + ": " + e);
        } catch (IOException e) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "cleave: the connection to %s was lost; the request may or may not have been carried out: %s"
                                    .formatted(server, e));
        }
        spec.commandLine().getErr().flush();
        return ExitCode.SOFTWARE;
    }

    /// The URL of the server, without a slash at the end.
    private String address() {
        return server.endsWith("/") ? server.substring(0, server.length() - 1) : server;
    }
}
