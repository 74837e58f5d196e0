package io.cleave.console;

import io.cleave.access.Caller;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.console.Operations.DecisionRow;
import io.cleave.console.Operations.Decisions;
import io.cleave.console.Operations.TabletRow;
import io.cleave.http.Answer;
import io.cleave.http.HttpRoutes;
import io.cleave.http.Request;
import io.cleave.value.Json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// The pages and requests for operators, each with its parameters. The answer is sent when the work
/// is done, as JSON, or as plain text if the client asks for that.
final class OperatorPages {
    /// Limit of a JSON body with parameters. It is large because keys may be long.
    private static final int MAX_BODY_BYTES = 1 << 20;

    private static final System.Logger LOGGER = System.getLogger(OperatorPages.class.getName());

    /// By method and path, for example `POST /split`.
    private final Map<String, Page> pages = new TreeMap<>();

    private final OperatorAccess operators;

    OperatorPages(OperatorAccess operators) {
        this.operators = operators;
        add(
                "GET /tablets?table=PATH",
                "list a table's tablets: ranges, cells, rows, load",
                Set.of("table"),
                (operations, p) -> tablets(operations.tablets(p.table())));
        add(
                "POST /compact?table=PATH",
                "rewrite a table's files",
                Set.of("table"),
                (operations, p) -> {
                    operations.compact(p.table());
                    return done();
                });
        add(
                "POST /split?table=PATH[&at=KEY…|&tablet=ID]",
                "split tablets at keys, or one tablet in halves",
                Set.of("table", "at", "tablet"),
                (operations, p) -> tablets(split(operations, p)));
        add(
                "POST /merge?table=PATH&tablets=ID,ID..ID…",
                "merge neighbouring tablets into one",
                Set.of("table", "tablets"),
                (operations, p) ->
                        tablets(List.of(operations.merge(p.table(), p.stretches("tablets")))));
        add(
                "POST /move?table=PATH&tablet=ID&to=CELL",
                "move a tablet to another cell",
                Set.of("table", "tablet", "to"),
                (operations, p) ->
                        tablets(
                                List.of(
                                        operations.move(
                                                p.table(), p.number("tablet"), p.number("to")))));
        add(
                "GET /why?table=PATH[&key=KEY]",
                "show why tablets were split, merged, moved or left alone",
                Set.of("table", "key"),
                (operations, p) -> decisions(operations.why(p.table(), p.find("key"))));
        add(
                "GET /plan?table=PATH|bundle=NAME[&at=TIME][&set=KEY=VALUE…][&cells=N][&rounds=N]",
                "show what would be split, merged, resharded or moved",
                Set.of("table", "bundle", "at", "set", "cells", "rounds"),
                OperatorPages::plan);
        add(
                "GET /schedule?bundle=NAME",
                "list when tables of a bundle are balanced",
                Set.of("bundle"),
                (operations, p) -> rounds(operations.rounds(p.get("bundle"))));
        add(
                "GET /bundles[?name=NAME]",
                "list the cells of each bundle, or of one",
                Set.of("name"),
                (operations, p) ->
                        bundles(
                                p.find("name").isEmpty()
                                        ? operations.bundles()
                                        : one(operations, p)));
        add(
                "POST /bundles?name=NAME&cells=ID,ID…|&remove=true",
                "set the cells of a bundle, or remove it",
                Set.of("name", "cells", "remove"),
                (operations, p) -> {
                    operations.putBundle(p.get("name"), cells(p));
                    return bundles(operations.bundles());
                });
        if (operators.mayFreeze()) {
            add(
                    "POST /freeze?cell=ID&seconds=N",
                    "freeze a cell, as if its leader hung",
                    Set.of("cell", "seconds"),
                    (operations, p) -> {
                        operations.freeze(p.number("cell"), p.number("seconds"));
                        return done();
                    });
        }
    }

    private static Map<String, List<Long>> one(
            Operations operations, RequestParameters parameters) {
        String name = parameters.get("name");
        List<Long> cells = operations.bundles().get(name);
        if (cells == null) {
            throw noBundle(operations, name);
        }
        return Map.of(name, cells);
    }

    private static StatusException noBundle(Operations operations, String name) {
        return new StatusException(
                Status.NOT_FOUND,
                "there is no bundle '%s'; there are: %s"
                        .formatted(name, String.join(", ", operations.bundles().keySet())));
    }

    /// The cells that a bundle gets; none only if it is to be removed.
    private static List<Long> cells(RequestParameters parameters) {
        if (parameters.find("remove").isEmpty()) {
            return parameters.numbers("cells");
        }
        if (!parameters.get("remove").equals("true") || parameters.find("cells").isPresent()) {
            throw parameters.refused("give either cells or remove=true");
        }
        return List.of();
    }

    private record Page(String usage, String title, Set<String> parameters, Work work) {}

    private interface Work {
        Content run(Operations operations, RequestParameters parameters);
    }

    /// An answer in both forms: text for a person and JSON for a program.
    private record Content(String text, Json json) {}

    private void add(String usage, String title, Set<String> parameters, Work work) {
        String name = usage.split("[\\[?]", 2)[0];
        pages.put(name, new Page(usage, title, parameters, work));
    }

    void addTo(HttpRoutes routes) {
        pages.forEach(
                (name, page) -> {
                    String[] words = name.split(" ", 2);
                    int maxBodyBytes = words[0].equals("POST") ? MAX_BODY_BYTES : 0;
                    routes.handled(
                            words[0], words[1], maxBodyBytes, request -> answer(page, request));
                });
    }

    private Answer answer(Page page, Request request) {
        boolean asText = request.header("Accept").orElse("").startsWith("text/plain");
        try {
            var parameters = new RequestParameters(page.usage(), page.parameters());
            parameters.addQuery(request.rawQuery().orElse(""));
            parameters.addBody(request.bodyText());
            Content content = page.work().run(operators.as(caller(request)), parameters);
            return asText
                    ? Answer.text(200, content.text())
                    : Answer.json(200, content.json().print() + "\n");
        } catch (StatusException e) {
            return failure(code(e.status()), e.status(), String.valueOf(e.getMessage()), asText);
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, page.usage() + " failed", e);
            return failure(500, Status.INTERNAL_ERROR, e.toString(), asText);
        }
    }

    /// The port knows no users yet, so every caller is anonymous.
    private static Caller caller(Request request) {
        return Caller.anonymous(request.peerAddress());
    }

    private static int code(Status status) {
        return switch (status) {
            case UNAVAILABLE, OVERLOADED -> 503;
            case NOT_FOUND -> 404;
            case ABORTED -> 409;
            case UNDETERMINED, INTERNAL_ERROR -> 500;
            default -> 400;
        };
    }

    private static Answer failure(int code, Status status, String message, boolean asText) {
        if (asText) {
            return Answer.text(code, message + "\n");
        }
        var members = new LinkedHashMap<String, Json>();
        members.put("status", new Json.Text(status.name()));
        members.put("error", new Json.Text(message));
        return Answer.json(code, new Json.Members(members).print() + "\n");
    }

    /// One line for each page.
    String index() {
        var text = new StringBuilder();
        pages.values()
                .forEach(page -> text.append("%-50s %s%n".formatted(page.usage(), page.title())));
        return text.toString();
    }

    private static List<TabletRow> split(Operations operations, RequestParameters parameters) {
        OptionalLong tablet =
                parameters.find("tablet").isPresent()
                        ? OptionalLong.of(parameters.number("tablet"))
                        : OptionalLong.empty();
        return operations.split(parameters.table(), parameters.all("at"), tablet);
    }

    private static Content done() {
        return new Content("ok\n", new Json.Members(new LinkedHashMap<>()));
    }

    private static Content tablets(List<TabletRow> tablets) {
        var members = new LinkedHashMap<String, Json>();
        members.put("tablets", TabletList.json(tablets));
        return new Content(TabletList.text(tablets), new Json.Members(members));
    }

    private static Content decisions(Decisions decisions) {
        return new Content(
                DecisionList.text(decisions), new Json.Members(DecisionList.members(decisions)));
    }

    private static Content plan(Operations operations, RequestParameters parameters) {
        boolean isOfTable = parameters.find("table").isPresent();
        if (isOfTable == parameters.find("bundle").isPresent()) {
            throw parameters.refused("give either a table or a bundle");
        }
        if (!isOfTable) {
            var question =
                    new BundlePlan.Question(
                            parameters.get("bundle"),
                            parameters.find("at"),
                            parameters.all("set"),
                            parameters.count("cells"),
                            parameters.count("rounds"));
            BundlePlan plan = operations.plan(question);
            return new Content(plan.text(), new Json.Members(plan.members()));
        }
        for (String name : List.of("at", "set", "cells", "rounds")) {
            if (!parameters.all(name).isEmpty()) {
                throw parameters.refused("'" + name + "' needs a bundle");
            }
        }
        return planned(operations.plan(parameters.table()));
    }

    private static Content planned(List<DecisionRow> decisions) {
        var members = new LinkedHashMap<String, Json>();
        members.put("decisions", DecisionList.json(decisions));
        String text = DecisionList.text(decisions, "nothing to do");
        return new Content(text, new Json.Members(members));
    }

    private static Content rounds(RoundList rounds) {
        return new Content(rounds.text(), new Json.Members(rounds.members()));
    }

    private static Content bundles(Map<String, List<Long>> bundles) {
        var text = new StringBuilder();
        var members = new LinkedHashMap<String, Json>();
        bundles.forEach(
                (name, cells) -> {
                    List<String> ids = cells.stream().map(String::valueOf).toList();
                    text.append(name)
                            .append("  cells ")
                            .append(String.join(", ", ids))
                            .append('\n');
                    List<Json> numbers =
                            cells.stream().map(id -> (Json) new Json.Numeral(id)).toList();
                    members.put(name, new Json.Array(numbers));
                });
        return new Content(text.toString(), new Json.Members(members));
    }
}
