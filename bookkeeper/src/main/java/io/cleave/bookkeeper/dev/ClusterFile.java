package io.cleave.bookkeeper.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The file `cluster.txt` in the folder of a cluster: one line for each process, with its ports and
/// its process id. Each change rewrites the whole file. Threads: one at a time.
final class ClusterFile {
    private static final String NAME = "cluster.txt";

    private final Path file;
    private final List<Member> members;

    private ClusterFile(Path file, List<Member> members) {
        this.file = file;
        this.members = members;
    }

    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(NAME));
    }

    /// Has no members if there is no file.
    static ClusterFile read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        List<Member> members = new ArrayList<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                members.add(Member.parse(file, line));
            }
        }
        return new ClusterFile(file, members);
    }

    List<Member> members() {
        return List.copyOf(members);
    }

    List<Member> members(Member.Kind kind) {
        return members.stream().filter(member -> member.kind() == kind).toList();
    }

    Optional<Member> find(Member.Kind kind, int number) {
        return members(kind).stream().filter(member -> member.number() == number).findFirst();
    }

    /// Replaces the member of the same kind and number, if there is one.
    void put(Member member) throws IOException {
        members.removeIf(
                other -> other.kind() == member.kind() && other.number() == member.number());
        members.add(member);
        members.sort(Comparator.comparing(Member::kind).thenComparingInt(Member::number));
        write();
    }

    private void write() throws IOException {
        Path fresh = file.resolveSibling(NAME + ".new");
        Files.writeString(
                fresh,
                members.stream().map(Member::line).collect(Collectors.joining("\n", "", "\n")));
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
