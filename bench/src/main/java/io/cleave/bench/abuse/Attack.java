package io.cleave.bench.abuse;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/// A client's attempt to bring the server down. It sends a fixed number of requests, and stops when
/// its time is over.
interface Attack {
    void run(Target target, Endings endings, Deadline deadline)
            throws IOException, InterruptedException;

    /// All attacks by their names for `--only`, in the order of the run.
    static Map<String, Attack> all() {
        Map<String, Attack> all = new LinkedHashMap<>();
        all.put("groups5", new QueryFlood(5, BigTable.GROUPS));
        all.put("groups50", new QueryFlood(50, BigTable.GROUPS));
        all.put("joins", new QueryFlood(20, BigTable.CROSS_JOIN));
        all.put("streams", new UnreadStreams(200));
        all.put("bombs", new PackedBombs(36, 80_000_000));
        all.put("unfinished", new UnfinishedMessages(3, 4, 78 << 20));
        all.put("sessions", new UnusedSessions(1_000));
        all.put("settings", new SettingsOnManyCalls(65_000));
        all.put("resets", new RapidReset(4, 200_000));
        all.put("floods", new FrameFloods(500_000));
        all.put("posts", new UnsentBodies(200));
        all.put("ytbombs", new YtFlood(36, YtFlood.Kind.ROW_BOMB));
        all.put("ytposts", new YtFlood(200, YtFlood.Kind.UNSENT_BODY));
        all.put("ytreaders", new YtFlood(100, YtFlood.Kind.UNREAD_ROWS));
        return all;
    }

    static String title(String name) {
        return switch (name) {
            case "groups5" -> "5 GROUP BYs of a million groups";
            case "groups50" -> "50 GROUP BYs of a million groups";
            case "joins" -> "20 cross joins";
            case "streams" -> "200 unread streams";
            case "bombs" -> "36 packed bombs";
            case "unfinished" -> "12 unfinished messages";
            case "sessions" -> "1,000 sessions of one client";
            case "settings" -> "SETTINGS on 65,000 calls";
            case "resets" -> "rapid reset";
            case "floods" -> "floods of empty frames";
            case "posts" -> "200 POSTs without a body";
            case "ytbombs" -> "YTsaurus' API: 36 rows of 60 MB, packed";
            case "ytposts" -> "YTsaurus' API: 200 bodies that stop halfway";
            case "ytreaders" -> "YTsaurus' API: 100 unread selects";
            default -> name;
        };
    }
}
