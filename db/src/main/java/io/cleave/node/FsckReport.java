package io.cleave.node;

import io.cleave.base.CorruptionException;

import java.util.ArrayList;
import java.util.List;

/// What [Fsck] checked and what it found, in the order of the checks.
public final class FsckReport {
    private final List<String> lines = new ArrayList<>();
    private int damageCount;
    private int noteCount;

    FsckReport() {}

    public boolean isClean() {
        return damageCount == 0;
    }

    /// The last line is a summary.
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

    /// Reports that data written earlier is missing or changed.
    void damage(String file, long offset, String what, String remedy) {
        damageCount++;
        lines.add("  DAMAGE " + file + " at " + offset + ": " + what);
        lines.add("         " + remedy);
    }

    /// Reports damage that has no place in a file.
    void damage(String thing, String what, String remedy) {
        damageCount++;
        lines.add("  DAMAGE " + thing + ": " + what);
        lines.add("         " + remedy);
    }

    void damage(CorruptionException e, String remedy) {
        damage(e.file(), e.fileOffset(), e.what(), remedy);
    }

    /// Reports something harmless that a crash or a person left.
    void note(String file, String what) {
        noteCount++;
        lines.add("  note " + file + ": " + what);
    }

    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
