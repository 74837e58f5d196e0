package io.cleave.cli;

import io.cleave.cli.Main.UsageException;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/// Asks a server to rewrite a table's files, and waits for it.
@Command(
        name = "compact",
        description = {
            "Rewrite a table's files, so that its present settings hold for all rows",
            "and what was erased takes no room any more. Reads and writes go on meanwhile."
        },
        sortOptions = false)
final class CompactCommand implements Callable<Integer> {
    private static final String DEFAULT_SERVER = "http://localhost:8765";

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TABLE", description = "Its path; may leave out the database.")
    private String table = "";

    @Option(
            names = "--http",
            paramLabel = "URL",
            defaultValue = DEFAULT_SERVER,
            description = "The server's HTTP port. Default: ${DEFAULT-VALUE}.")
    private String server = DEFAULT_SERVER;

    @Override
    public Integer call() throws InterruptedException {
        String path = URLEncoder.encode(table, StandardCharsets.UTF_8).replace("+", "%20");
        HttpRequest request;
        try {
            request =
                    HttpRequest.newBuilder(URI.create(server + "/compact?table=" + path))
                            .POST(BodyPublishers.noBody())
                            .build();
        } catch (IllegalArgumentException _) {
            throw new UsageException(
                    "a server looks like " + DEFAULT_SERVER + ", and not like '" + server + "'");
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                spec.commandLine().getOut().print(answer.body());
                spec.commandLine().getOut().flush();
                return ExitCode.OK;
            }
            spec.commandLine().getErr().print("error: " + answer.body());
        } catch (IOException e) {
            spec.commandLine().getErr().println("cleave: no server at " + server + ": " + e);
        }
        spec.commandLine().getErr().flush();
        return ExitCode.SOFTWARE;
    }
}
