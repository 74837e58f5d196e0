package io.cleave.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

import java.util.Optional;

/// Runs a test suite written for `tech.ydb.test:ydb-junit5-support` on Cleave instead of Docker.
///
/// That library looks for a server in the properties `YDB_ENDPOINT` and `YDB_DATABASE` before it
/// uses Docker. JUnit finds this listener automatically, before it loads the first test class. The
/// listener starts a server in memory and sets the two properties. It does nothing if one of them
/// is already set, as a property or in the environment, if the library is not on the class path, or
/// with `-Dcleave.swap=off`.
///
/// The server runs until the JVM ends, because the library keeps the properties it has read.
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

    /// Starts the server when the class is first used.
    private static final class ServerOfJvm {
        private static final CleaveServer SERVER = start();

        private static CleaveServer start() {
            CleaveServer server = CleaveServer.start(Optional.empty());
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "cleave-close"));
            return server;
        }
    }
}
