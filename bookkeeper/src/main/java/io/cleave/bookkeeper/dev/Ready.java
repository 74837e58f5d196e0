package io.cleave.bookkeeper.dev;

/// The line with which a process tells its parent that it answers.
final class Ready {
    /// The first word of the line.
    static final String WORD = "ready";

    private Ready() {}

    static void tell(String what) {
        System.out.println(WORD + " " + what);
        System.out.flush();
    }
}
