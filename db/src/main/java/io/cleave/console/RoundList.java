package io.cleave.console;

import io.cleave.value.Json;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// When the tables of a bundle are balanced, as text for a terminal or as JSON for a program.
///
/// @param from the first minute that is looked at
/// @param to the minute after the last one
/// @param none why there are no rounds; empty if the groups say it themselves
/// @param notes what else is to be known
/// @param now what a round of a group would do if it began now, by the group's name. Groups that it
///   would not change are not there
public record RoundList(
        String bundle,
        ZoneId zone,
        Instant from,
        Instant to,
        Optional<String> none,
        List<Group> groups,
        List<String> notes,
        SequencedMap<String, BundlePlan.Work> now) {
    private static final DateTimeFormatter DAY = formatter("uuuu-MM-dd");
    private static final DateTimeFormatter MINUTE = formatter("HH:mm");
    private static final DateTimeFormatter HOUR = formatter("uuuu-MM-dd HH xxx");
    private static final DateTimeFormatter WHOLE = formatter("uuuu-MM-dd HH:mm");
    private static final DateTimeFormatter EXACT = formatter("uuuu-MM-dd'T'HH:mmxxx");

    public record Group(String name, Plan plan) {}

    /// The rounds of a group. Groups may have equal ones.
    ///
    /// @param origin where the formula is set: group, bundle or cluster
    /// @param none why there are no rounds; empty if there are some
    /// @param error of the formula, which counts as false at its minute
    public record Plan(
            String formula,
            String origin,
            List<Range> rounds,
            Optional<String> none,
            Optional<String> error) {}

    /// There is a round at every minute of `[from, to)`.
    public record Range(Instant from, Instant to) {}

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    }

    String text() {
        var text = new StringBuilder();
        text.append(
                "bundle %s, from %s to %s, time zone %s\n"
                        .formatted(bundle, whole(from), whole(to), zone.getId()));
        none.ifPresent(why -> text.append("no rounds: ").append(why).append('\n'));
        Map<Plan, List<String>> byPlan = new LinkedHashMap<>();
        groups.forEach(
                group ->
                        byPlan.computeIfAbsent(group.plan, _ -> new ArrayList<>()).add(group.name));
        byPlan.forEach((plan, names) -> add(text, plan, names));
        notes.forEach(note -> text.append("note: ").append(note).append('\n'));
        now.forEach(
                (group, work) ->
                        text.append("a round of group ")
                                .append(group)
                                .append(" would now ")
                                .append(BundlePlanText.text(work))
                                .append('\n'));
        if (now.isEmpty()) {
            text.append("a round would now change nothing\n");
        }
        return text.toString();
    }

    private void add(StringBuilder text, Plan plan, List<String> names) {
        text.append(names.size() == 1 ? "group " : "groups ")
                .append(String.join(", ", names))
                .append(": ")
                .append(plan.formula)
                .append(" (set for the ")
                .append(plan.origin)
                .append(")\n");
        plan.error.ifPresent(error -> text.append("    error: ").append(error).append('\n'));
        plan.none.ifPresent(why -> text.append("    no rounds: ").append(why).append('\n'));
        byHour(plan.rounds)
                .values()
                .forEach(
                        ranges ->
                                text.append("    ")
                                        .append(DAY.format(at(ranges.getFirst().from)))
                                        .append("  ")
                                        .append(
                                                String.join(
                                                        ", ",
                                                        ranges.stream().map(this::shown).toList()))
                                        .append('\n'));
    }

    /// The rounds that begin in the same hour are one line.
    private SequencedMap<String, List<Range>> byHour(List<Range> rounds) {
        var byHour = new LinkedHashMap<String, List<Range>>();
        for (Range range : rounds) {
            byHour.computeIfAbsent(HOUR.format(at(range.from)), _ -> new ArrayList<>()).add(range);
        }
        return byHour;
    }

    private String shown(Range range) {
        String begin = MINUTE.format(at(range.from));
        if (range.from.plusSeconds(60).equals(range.to)) {
            return begin;
        }
        boolean isSameDay = at(range.from).toLocalDate().equals(at(range.to).toLocalDate());
        return "every minute from %s to %s"
                .formatted(begin, isSameDay ? MINUTE.format(at(range.to)) : whole(range.to));
    }

    private String whole(Instant instant) {
        return WHOLE.format(at(instant));
    }

    private ZonedDateTime at(Instant instant) {
        return instant.atZone(zone);
    }

    SequencedMap<String, Json> members() {
        var members = new LinkedHashMap<String, Json>();
        members.put("bundle", new Json.Text(bundle));
        members.put("time_zone", new Json.Text(zone.getId()));
        members.put("from", exact(from));
        members.put("to", exact(to));
        none.ifPresent(why -> members.put("why_none", new Json.Text(why)));
        if (!notes.isEmpty()) {
            members.put(
                    "notes",
                    new Json.Array(
                            notes.stream().map(note -> (Json) new Json.Text(note)).toList()));
        }
        members.put("groups", new Json.Array(groups.stream().map(this::json).toList()));
        return members;
    }

    private Json json(Group group) {
        var members = new LinkedHashMap<String, Json>();
        members.put("group", new Json.Text(group.name));
        members.put("schedule", new Json.Text(group.plan.formula));
        members.put("origin", new Json.Text(group.plan.origin));
        members.put("rounds", new Json.Array(group.plan.rounds.stream().map(this::json).toList()));
        members.put("now", BundlePlan.json(now.getOrDefault(group.name, BundlePlan.Work.NONE)));
        group.plan.none.ifPresent(why -> members.put("why_none", new Json.Text(why)));
        group.plan.error.ifPresent(error -> members.put("error", new Json.Text(error)));
        return new Json.Members(members);
    }

    private Json json(Range range) {
        var members = new LinkedHashMap<String, Json>();
        members.put("from", exact(range.from));
        members.put("to", exact(range.to));
        return new Json.Members(members);
    }

    private Json exact(Instant instant) {
        return new Json.Text(EXACT.format(at(instant)));
    }
}
