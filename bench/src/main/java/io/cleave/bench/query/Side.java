package io.cleave.bench.query;

import io.cleave.bench.Load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

/// A system that is queried through JDBC.
///
/// @param cpuTime the CPU time that its server has used so far
record Side(String name, String url, Supplier<Duration> cpuTime) {
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    void execute(String... statements) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    Load.Measured measure(int clientCount, Load.Clients clients, Duration time) throws Exception {
        return new Load(cpuTime, clientCount).run(clients, time);
    }
}
