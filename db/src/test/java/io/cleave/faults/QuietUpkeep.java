package io.cleave.faults;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.util.logging.Level;
import java.util.logging.Logger;

/// That flushes and compactions fail when the disk does is no news here.
public final class QuietUpkeep implements BeforeAllCallback, AfterAllCallback {
    /// Kept, because the JVM forgets the level of a logger nobody holds.
    private final Logger upkeep = Logger.getLogger("io.cleave.tablet");

    @Override
    public void beforeAll(ExtensionContext context) {
        upkeep.setLevel(Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        upkeep.setLevel(null);
    }
}
