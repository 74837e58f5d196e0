package io.cleave.yt.error;

/// The codes of errors, as YTsaurus numbers them.
public final class YtCodes {
    public static final int GENERIC = 1;
    public static final int CANCELED = 2;
    public static final int TIMEOUT = 3;
    public static final int UNAVAILABLE = 105;
    public static final int NO_SUCH_METHOD = 103;
    public static final int REQUEST_QUEUE_SIZE_LIMIT = 108;

    public static final int SORT_ORDER_VIOLATION = 301;
    public static final int UNHASHABLE_TYPE = 304;
    public static final int SCHEMA_VIOLATION = 307;
    public static final int INVALID_SCHEMA_VALUE = 314;
    public static final int INCOMPATIBLE_SCHEMAS = 316;
    public static final int TOO_MANY_ROWS_IN_ROWSET = 319;
    public static final int TOO_MANY_COLUMNS_IN_KEY = 320;
    public static final int TOO_MANY_VALUES_IN_ROW = 321;
    public static final int KEY_CANNOT_BE_NAN = 325;
    public static final int STRING_LIKE_VALUE_LENGTH_LIMIT = 326;

    public static final int CONCURRENT_TRANSACTION_LOCK_CONFLICT = 402;
    public static final int RESOLVE_ERROR = 500;
    public static final int ALREADY_EXISTS = 501;
    public static final int AUTHORIZATION_ERROR = 901;
    public static final int NO_SUCH_TRANSACTION = 11000;

    public static final int TRANSACTION_LOCK_CONFLICT = 1700;
    public static final int NO_SUCH_TABLET = 1701;
    public static final int TABLET_NOT_MOUNTED = 1702;
    public static final int INVALID_MOUNT_REVISION = 1704;
    public static final int INVALID_TABLET_STATE = 1706;
    public static final int INPUT_ROW_LIMIT_EXCEEDED = 1709;
    public static final int OUTPUT_ROW_LIMIT_EXCEEDED = 1710;
    public static final int EXPRESSION_DEPTH_LIMIT_EXCEEDED = 1711;
    public static final int TABLE_MUST_BE_SORTED = 1716;
    public static final int TOO_MANY_ROWS_IN_TRANSACTION = 1717;
    public static final int NO_SUCH_CELL = 1721;
    public static final int REQUEST_THROTTLED = 1725;
    public static final int COLUMN_NOT_FOUND = 1726;
    public static final int CHUNK_IS_NOT_PRELOADED = 1735;

    public static final int INCORRECT_BALANCER_CONFIG = 2901;
    public static final int SCHEDULE_FORMULA_EVALUATION_FAILED = 2910;

    private YtCodes() {}
}
