package io.cleave.bench.abuse;

import io.cleave.bench.DocsPage;

import java.io.IOException;
import java.nio.file.Path;

/// `docs/benchmarks/abuse.md`: what a whole run printed, and what one has to know to believe it.
final class AbusePage {
    private AbusePage() {}

    static Path write(String figures, int seconds) throws IOException {
        return DocsPage.write(System.getProperty("cleave.launcher", "cleave"), "abuse.md", figures);
    }
}
