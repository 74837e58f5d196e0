package io.cleave.console;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// The metrics of the node and of its JVM.
///
/// The JVM's meters are added by the first scrape. They load the JVM's management classes, which
/// would take a tenth of a node's start time. All of them are gauges and running totals of the JVM,
/// so nothing is lost by adding them late.
final class Metrics {
    private final PrometheusMeterRegistry registry;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean hasJvmMeters;

    Metrics(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    String scrape() {
        if (!hasJvmMeters) {
            addJvmMeters();
        }
        return registry.scrape();
    }

    private void addJvmMeters() {
        lock.lock();
        try {
            if (hasJvmMeters) {
                return;
            }
            List<MeterBinder> binders =
                    List.of(
                            new JvmMemoryMetrics(),
                            new JvmThreadMetrics(),
                            new ClassLoaderMetrics(),
                            new ProcessorMetrics(),
                            new FileDescriptorMetrics(),
                            new UptimeMetrics());
            binders.forEach(binder -> binder.bindTo(registry));
            hasJvmMeters = true;
        } finally {
            lock.unlock();
        }
    }
}
