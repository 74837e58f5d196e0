package io.cleave.junit;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a test class that uses a server with an empty database. Test methods may have parameters
/// of type [CleaveServer] and `GrpcTransport`. The annotations below mark fields and other
/// parameters that the extension sets.
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
/// Test classes run one after the other, even in a parallel run, because they share the database.
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CleaveExtension.class)
@ResourceLock("io.cleave.junit")
public @interface CleaveTest {
    /// The data folder; if empty, data is kept in memory.
    String folder() default "";

    /// For a String; sets it to `grpc://localhost:PORT/local`.
    @Documented
    @Target({ElementType.FIELD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Endpoint {}

    /// For a String; sets it to `jdbc:ydb:grpc://localhost:PORT/local`.
    @Documented
    @Target({ElementType.FIELD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface JdbcUrl {}

    /// For a `GrpcTransport`; all tests share one, which they need not close.
    @Documented
    @Target({ElementType.FIELD, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Transport {}
}
