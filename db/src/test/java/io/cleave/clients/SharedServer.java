package io.cleave.clients;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives a test [Clients] of the one server of the run, which ends with the run.
final class SharedServer implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Clients.class;
    }

    @Override
    public Clients resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(SharedServer.class))
                .computeIfAbsent(Clients.class, key -> Clients.ofNewServer(), Clients.class);
    }
}
