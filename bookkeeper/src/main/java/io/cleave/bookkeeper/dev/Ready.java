package io.cleave.bookkeeper.dev;

/// The line by which a process tells whoever started it that it answers.
final class Ready {
    /// How the line begins.
    static final String WORD = "ready";

    private Ready() {}

    static void tell(String what) {
        System.out.println(WORD + " " + what);
        System.out.flush();
    }
}
