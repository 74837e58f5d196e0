package io.cleave.junit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.AnnotationSupport;

import tech.ydb.core.grpc.GrpcTransport;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// The extension behind [CleaveTest]. It can also be registered as a static field:
///
/// ```java
/// @RegisterExtension
/// static final CleaveExtension cleave = CleaveExtension.inFolder(Path.of("target/cleave"));
/// ```
public final class CleaveExtension
        implements BeforeAllCallback, TestInstancePostProcessor, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create("io.cleave.junit");

    private final Optional<Path> ownFolder;
    private @Nullable CleaveServer server;

    /// Uses the folder given by [CleaveTest], or memory if there is none.
    public CleaveExtension() {
        this(Optional.empty());
    }

    private CleaveExtension(Optional<Path> ownFolder) {
        this.ownFolder = ownFolder;
    }

    public static CleaveExtension inMemory() {
        return new CleaveExtension();
    }

    public static CleaveExtension inFolder(Path folder) {
        return new CleaveExtension(Optional.of(folder));
    }

    /// The server. It is available from before the first test of the class.
    public CleaveServer server() {
        if (server == null) {
            throw new IllegalStateException(
                    "there is no server yet: a CleaveExtension is a static field, with"
                            + " @RegisterExtension, and is asked in a test");
        }
        return server;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        CleaveServer started = serverOfRun(context);
        server = started;
        // A nested class keeps the data of its outer class.
        if (context.getRequiredTestClass().getEnclosingClass() == null
                || Modifier.isStatic(context.getRequiredTestClass().getModifiers())) {
            new Cleaning(started.transport()).run();
        }
        for (Field field : context.getRequiredTestClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                fill(field, null);
            }
        }
    }

    @Override
    public void postProcessTestInstance(Object test, ExtensionContext context)
            throws IllegalAccessException {
        Class<?> type = test.getClass();
        while (type != null && type != Object.class) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    fill(field, test);
                }
            }
            type = type.getSuperclass();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == CleaveServer.class
                || type == GrpcTransport.class
                || isMarked(parameter.getParameter());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return value(parameter.getParameter(), parameter.getParameter().getType());
    }

    private void fill(Field field, @Nullable Object test) throws IllegalAccessException {
        if (isMarked(field)) {
            field.setAccessible(true);
            field.set(test, value(field, field.getType()));
        }
    }

    private static boolean isMarked(AnnotatedElement element) {
        return AnnotationSupport.isAnnotated(element, CleaveTest.Endpoint.class)
                || AnnotationSupport.isAnnotated(element, CleaveTest.JdbcUrl.class)
                || AnnotationSupport.isAnnotated(element, CleaveTest.Transport.class);
    }

    private Object value(AnnotatedElement element, Class<?> type) {
        if (AnnotationSupport.isAnnotated(element, CleaveTest.Endpoint.class)) {
            return server().endpoint();
        }
        if (AnnotationSupport.isAnnotated(element, CleaveTest.JdbcUrl.class)) {
            return server().jdbcUrl();
        }
        return type == CleaveServer.class ? server() : server().transport();
    }

    @SuppressWarnings("deprecation") // JUnit 5 has no other way
    private CleaveServer serverOfRun(ExtensionContext context) {
        Optional<Path> folder = ownFolder.or(() -> folderOf(context.getRequiredTestClass()));
        CleaveServer.Stored stored =
                context.getRoot()
                        .getStore(NAMESPACE)
                        .getOrComputeIfAbsent(
                                folder.map(path -> path.toAbsolutePath().normalize()),
                                key -> new CleaveServer.Stored(CleaveServer.start(key)),
                                CleaveServer.Stored.class);
        return Objects.requireNonNull(stored).server();
    }

    private static Optional<Path> folderOf(Class<?> testClass) {
        return AnnotationSupport.findAnnotation(testClass, CleaveTest.class)
                .map(CleaveTest::folder)
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }
}
