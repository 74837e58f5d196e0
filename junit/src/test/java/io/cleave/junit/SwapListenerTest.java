package io.cleave.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.launcher.core.LauncherFactory;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SwapListenerTest {
    @Test
    void whatIsSetAlreadyIsLeftAlone() {
        String before = System.setProperty("YDB_ENDPOINT", "grpc://elsewhere:1");
        try (var session = LauncherFactory.openSession()) {
            assertThat(session.getLauncher()).isNotNull();
            assertThat(System.getProperty("YDB_ENDPOINT")).isEqualTo("grpc://elsewhere:1");
        } finally {
            System.setProperty("YDB_ENDPOINT", before);
        }
    }
}
