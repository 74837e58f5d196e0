package io.cleave.junit;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test class that finds a server with an empty database. Parameters of type [CleaveServer] and
/// `GrpcTransport` are given to its methods; the annotations below mark other parameters, and
/// fields.
///
/// ```java
/// @CleaveTest
/// class SeriesTest {
///     @CleaveTest.JdbcUrl String url;
///
///     @Test
///     void aTableIsMade(GrpcTransport transport) { … }
/// }
/// ```
///
/// Classes run one after the other, even in a run that is otherwise parallel: they share the
/// database.
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CleaveExtension.class)
@ResourceLock("io.cleave.junit")
public @interface CleaveTest {
    /// The folder for the data; without one it is in memory.
    String folder() default "";

    /// A String: `grpc://localhost:PORT/local`.
    @Documented
    @Target({ElementType.FIELD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Endpoint {}

    /// A String: `jdbc:ydb:grpc://localhost:PORT/local`.
    @Documented
    @Target({ElementType.FIELD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface JdbcUrl {}

    /// A `GrpcTransport` that is shared by all tests; nobody needs to close it.
    @Documented
    @Target({ElementType.FIELD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Transport {}
}
