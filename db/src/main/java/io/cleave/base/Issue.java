package io.cleave.base;

import java.util.List;
import java.util.Optional;

/// One issue of a reply, like YDB's IssueMessage: a text that names the problem and the remedy, a
/// code that tools match on (0 for none), and the place in the query.
public record Issue(
        Severity severity,
        int code,
        String message,
        Optional<Position> position,
        List<Issue> causes) {
    // The issue codes that YDB's tools know. These numbers are on the wire.
    public static final int TYPE_ANNOTATION = 1030;
    public static final int EXECUTION = 1060;
    public static final int IMPLICIT_BITCAST = 1107;
    public static final int LOCKS_INVALIDATED = 2001;
    public static final int SCHEME = 2003;
    public static final int UNAVAILABLE = 2005;
    public static final int OVERLOADED = 2006;
    public static final int BAD_OPERATION = 2008;
    public static final int MIXED_SCHEME_AND_DATA = 2009;
    public static final int ABORTED = 2011;
    public static final int CONSTRAINT_VIOLATION = 2012;
    public static final int TOO_MANY_TRANSACTIONS = 2014;
    public static final int TRANSACTION_NOT_FOUND = 2015;
    public static final int PRAGMA_NOT_SUPPORTED = 2016;
    public static final int BAD_REQUEST = 2017;
    public static final int TIMEOUT = 2020;
    public static final int CANCELLED = 2021;
    public static final int INDEX_NOT_READY = 2027;
    public static final int SCHEME_MISMATCH = 2028;
    public static final int PRECONDITION = 2029;
    public static final int UNSUPPORTED = 2030;
    public static final int BAD_COLUMN_TYPE = 2031;
    public static final int NO_COLUMN_DEFAULT = 2032;
    public static final int UNSUITABLE_INDEX = 2503;
    public static final int SELECT_COLUMN_MISMATCH = 4517;
    public static final int UNUSED_SYMBOL = 4527;
    public static final int PATH_NOT_FOUND = 200200;
    public static final int SEQUENCE_EXHAUSTED = 200503;

    public enum Severity {
        FATAL(0),
        ERROR(1),
        WARNING(2),
        INFO(3);

        private final int wireNumber;

        Severity(int wireNumber) {
            this.wireNumber = wireNumber;
        }

        public int wireNumber() {
            return wireNumber;
        }
    }

    /// A place in the query text; both numbers count from 1.
    public record Position(int row, int column) {}

    public Issue {
        causes = List.copyOf(causes);
    }

    public static Issue error(String message) {
        return error(0, message);
    }

    public static Issue error(int code, String message) {
        return new Issue(Severity.ERROR, code, message, Optional.empty(), List.of());
    }

    public static Issue info(String message) {
        return new Issue(Severity.INFO, 0, message, Optional.empty(), List.of());
    }

    public static Issue warning(int code, String message) {
        return new Issue(Severity.WARNING, code, message, Optional.empty(), List.of());
    }

    public Issue at(Position place) {
        return new Issue(severity, code, message, Optional.of(place), causes);
    }

    public Issue because(Issue cause) {
        return because(List.of(cause));
    }

    public Issue because(List<Issue> all) {
        return new Issue(severity, code, message, position, all);
    }
}
