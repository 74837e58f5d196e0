package io.cleave.node;

import io.cleave.base.CorruptionException;

import java.util.ArrayList;
import java.util.List;

/// What [Fsck] looked at and what it found, in the order in which it went.
public final class FsckReport {
    private final List<String> lines = new ArrayList<>();
    private int damageCount;
    private int noteCount;

    FsckReport() {}

    public boolean isClean() {
        return damageCount == 0;
    }

    /// Ends with one line that says it all.
    public String text() {
        var text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        String notes = noteCount == 0 ? "" : ", " + count(noteCount, "note");
        text.append(isClean() ? "clean" : count(damageCount, "damage")).append(notes);
        return text.append('\n').toString();
    }

    void looked(String at) {
        lines.add(at);
    }

    /// Something that was once written is not there as it was.
    void damage(String file, long offset, String what, String remedy) {
        damageCount++;
        lines.add("  DAMAGE " + file + " at " + offset + ": " + what);
        lines.add("         " + remedy);
    }

    /// The same of something that is in no one place.
    void damage(String thing, String what, String remedy) {
        damageCount++;
        lines.add("  DAMAGE " + thing + ": " + what);
        lines.add("         " + remedy);
    }

    void damage(CorruptionException e, String remedy) {
        damage(e.file(), e.fileOffset(), e.what(), remedy);
    }

    /// Harmless: what a crash or a person has left.
    void note(String file, String what) {
        noteCount++;
        lines.add("  note " + file + ": " + what);
    }

    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
