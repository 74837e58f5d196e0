package io.cleave.bookkeeper;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/// Lets something happen at a moment that is hard to meet otherwise.
final class Calls {
    private Calls() {}

    /// The same object, but this happens just before each call of the method; what it throws, the
    /// method throws.
    static <T> T before(Class<T> type, T object, String method, Runnable happens) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, called, arguments) -> {
                            if (called.getName().equals(method)) {
                                happens.run();
                            }
                            try {
                                return called.invoke(object, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }
}
