package io.cleave.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

import java.util.Optional;

/// Moves a suite that was written for `tech.ydb.test:ydb-junit5-support` from Docker to Cleave.
///
/// That support looks for a server in the properties `YDB_ENDPOINT` and `YDB_DATABASE` before it
/// turns to Docker. JUnit finds this listener by itself before the first test class is loaded; it
/// starts a server in memory and sets the two. Where one of them is set already, as a property or
/// in the environment, and with `-Dcleave.swap=off`, it does nothing.
///
/// The server lives as long as the JVM, since the support keeps what it has read as long.
public final class SwapListener implements LauncherSessionListener {
    private static final String ENDPOINT = "YDB_ENDPOINT";
    private static final String DATABASE = "YDB_DATABASE";
    private static final String SWITCH = "cleave.swap";
    private static final String SUPPORT = "tech.ydb.test.integration.YdbHelperFactory";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (isSet(ENDPOINT) || isSet(DATABASE) || !isWanted()) {
            return;
        }
        System.setProperty(ENDPOINT, ServerOfJvm.SERVER.address());
        System.setProperty(DATABASE, ServerOfJvm.SERVER.database());
    }

    private static boolean isSet(String name) {
        String inEnvironment = System.getenv(name);
        return (inEnvironment != null && !inEnvironment.isEmpty())
                || System.getProperty(name) != null;
    }

    private static boolean isWanted() {
        return !"off".equals(System.getProperty(SWITCH)) && hasSupport();
    }

    private static boolean hasSupport() {
        try {
            Class.forName(SUPPORT, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    /// Started when it is first named.
    private static final class ServerOfJvm {
        private static final CleaveServer SERVER = start();

        private static CleaveServer start() {
            CleaveServer server = CleaveServer.start(Optional.empty());
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "cleave-close"));
            return server;
        }
    }
}
