/// The words of YQL. Keywords are of any case; names are not.
///
/// Whatever the text, this lexer finds a token: what is broken becomes a token of its own kind
/// (BAD_…, OPEN_…), so that the parser can say what is wrong and where.
lexer grammar YqlLexer;

options { caseInsensitive = true; }

// Keywords of queries.
SELECT: 'SELECT';
DISTINCT: 'DISTINCT';
ALL: 'ALL';
FROM: 'FROM';
WHERE: 'WHERE';
GROUP: 'GROUP';
BY: 'BY';
HAVING: 'HAVING';
ORDER: 'ORDER';
ASC: 'ASC';
DESC: 'DESC';
LIMIT: 'LIMIT';
OFFSET: 'OFFSET';
AS: 'AS';
WITHOUT: 'WITHOUT';
UNION: 'UNION';
INTERSECT: 'INTERSECT';
EXCEPT: 'EXCEPT';
JOIN: 'JOIN';
INNER: 'INNER';
LEFT: 'LEFT';
RIGHT: 'RIGHT';
FULL: 'FULL';
OUTER: 'OUTER';
CROSS: 'CROSS';
SEMI: 'SEMI';
ONLY: 'ONLY';
EXCLUSION: 'EXCLUSION';
ANY: 'ANY';
ON: 'ON';
USING: 'USING';
VIEW: 'VIEW';
VALUES: 'VALUES';
DISCARD: 'DISCARD';
OVER: 'OVER';
PARTITION: 'PARTITION';
COMPACT: 'COMPACT';
FLATTEN: 'FLATTEN';
SAMPLE: 'SAMPLE';
TABLESAMPLE: 'TABLESAMPLE';
GROUPING: 'GROUPING';
SETS: 'SETS';
WINDOW: 'WINDOW';
ROWS: 'ROWS';
RANGE: 'RANGE';
GROUPS: 'GROUPS';
NULLS: 'NULLS';

// Keywords of expressions.
AND: 'AND';
OR: 'OR';
XOR: 'XOR';
NOT: 'NOT';
IN: 'IN';
BETWEEN: 'BETWEEN';
SYMMETRIC: 'SYMMETRIC';
ASYMMETRIC: 'ASYMMETRIC';
LIKE: 'LIKE';
ILIKE: 'ILIKE';
REGEXP: 'REGEXP';
RLIKE: 'RLIKE';
MATCH: 'MATCH';
GLOB: 'GLOB';
ESCAPE: 'ESCAPE';
IS: 'IS';
ISNULL: 'ISNULL';
NOTNULL: 'NOTNULL';
NULL: 'NULL';
TRUE: 'TRUE';
FALSE: 'FALSE';
CASE: 'CASE';
WHEN: 'WHEN';
THEN: 'THEN';
ELSE: 'ELSE';
END: 'END';
CAST: 'CAST';
BITCAST: 'BITCAST';
EXISTS: 'EXISTS';
RETURN: 'RETURN';

// Keywords of the JSON functions.
JSON_EXISTS: 'JSON_EXISTS';
JSON_VALUE: 'JSON_VALUE';
JSON_QUERY: 'JSON_QUERY';
PASSING: 'PASSING';
WRAPPER: 'WRAPPER';
CONDITIONAL: 'CONDITIONAL';
UNCONDITIONAL: 'UNCONDITIONAL';
EMPTY: 'EMPTY';
ERROR: 'ERROR';
UNKNOWN: 'UNKNOWN';
ARRAY: 'ARRAY';
OBJECT: 'OBJECT';

// Keywords of data.
UPSERT: 'UPSERT';
REPLACE: 'REPLACE';
INSERT: 'INSERT';
INTO: 'INTO';
ABORT: 'ABORT';
REVERT: 'REVERT';
IGNORE: 'IGNORE';
UPDATE: 'UPDATE';
SET: 'SET';
DELETE: 'DELETE';
RETURNING: 'RETURNING';

// Keywords of schema.
CREATE: 'CREATE';
ALTER: 'ALTER';
DROP: 'DROP';
TABLE: 'TABLE';
TEMP: 'TEMP';
TEMPORARY: 'TEMPORARY';
IF: 'IF';
PRIMARY: 'PRIMARY';
KEY: 'KEY';
INDEX: 'INDEX';
GLOBAL: 'GLOBAL';
LOCAL: 'LOCAL';
UNIQUE: 'UNIQUE';
SYNC: 'SYNC';
ASYNC: 'ASYNC';
COVER: 'COVER';
FAMILY: 'FAMILY';
DEFAULT: 'DEFAULT';
ADD: 'ADD';
COLUMN: 'COLUMN';
RENAME: 'RENAME';
TO: 'TO';
RESET: 'RESET';
TRUNCATE: 'TRUNCATE';
SEQUENCE: 'SEQUENCE';
BATCH: 'BATCH';
SHOW: 'SHOW';
USER: 'USER';
GRANT: 'GRANT';
REVOKE: 'REVOKE';
WITH: 'WITH';

// Keywords of the rest.
DECLARE: 'DECLARE';
PRAGMA: 'PRAGMA';
EXPLAIN: 'EXPLAIN';
QUERY: 'QUERY';
PLAN: 'PLAN';
COMMIT: 'COMMIT';
DEFINE: 'DEFINE';
ACTION: 'ACTION';
SUBQUERY: 'SUBQUERY';
DO: 'DO';
BEGIN: 'BEGIN';

// Keywords of clauses that no rule takes; a text that uses one is refused by its name (SyntaxErrors).
MATCH_RECOGNIZE: 'MATCH_RECOGNIZE';
FILTER: 'FILTER';
INHERITS: 'INHERITS';
CHANGEFEED: 'CHANGEFEED';

// Types of types. The bracket belongs to the word, so `list < 5` stays a comparison.
OPTIONAL_OF: 'OPTIONAL<';
LIST_OF: 'LIST<';
TUPLE_OF: 'TUPLE<';
STRUCT_OF: 'STRUCT<';
DICT_OF: 'DICT<';
SET_OF: 'SET<';
VARIANT_OF: 'VARIANT<';
TAGGED_OF: 'TAGGED<';
ENUM_OF: 'ENUM<';
OTHER_OF: ('RESOURCE' | 'CALLABLE' | 'STREAM') '<';

SEMICOLON: ';';
COMMA: ',';
DOT: '.';
COLON: ':';
NAMESPACE: '::';
ARROW: '->';
LEFT_PAREN: '(';
RIGHT_PAREN: ')';
LEFT_SQUARE: '[';
RIGHT_SQUARE: ']';
LEFT_CURLY: '{';
RIGHT_CURLY: '}';
STRUCT_OPEN: '<|';
STRUCT_CLOSE: '|>';
EQUAL: '=';
EQUAL_EQUAL: '==';
NOT_EQUAL: '!=' | '<>';
LESS: '<';
LESS_OR_EQUAL: '<=';
GREATER: '>';
GREATER_OR_EQUAL: '>=';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';
CONCAT: '||';
AMPERSAND: '&';
PIPE: '|';
CARET: '^';
TILDE: '~';
SHIFT_LEFT: '<<';
// Two of a type's closing brackets look the same; Tokens splits those.
SHIFT_RIGHT: '>>';
ROTATE_LEFT: '|<<';
ROTATE_RIGHT: '>>|';
QUESTION: '?';
COALESCE: '??';
// The same where nothing follows that it could choose: behind a type (Tokens).
QUESTIONS: '??' {false}?;

INTEGER: (DIGIT+ | '0X' [0-9A-F]+ | '0O' [0-7]+ | '0B' [01]+) ('U' | 'L' | 'UL' | 'S' | 'US' | 'T' | 'UT')?;
REAL: (DIGIT+ '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT) 'F'?
    // `1.` and `1.f`, unless the dot is that of a member's name, as in `t.1.first`.
    | DIGIT+ '.' EXPONENT? 'F'? {!Character.isUnicodeIdentifierPart(_input.LA(1)) && "`.$".indexOf(_input.LA(1)) < 0}?;
BAD_NUMBER: DIGIT+ ('.' DIGIT+)? [A-Z_] [A-Z0-9_]*;

STRING: ('\'' (ESCAPED | ~['\\])* '\'' | '"' (ESCAPED | ~["\\])* '"' | MULTILINE) STRING_SUFFIX?;
OPEN_STRING: ('\'' (ESCAPED | ~['\\])* | '"' (ESCAPED | ~["\\])*) '\\'?;

// An at sign is doubled by four of them.
fragment MULTILINE: '@@' ('@@@@' | ~'@' | '@' ~'@')* '@@';
fragment STRING_SUFFIX: [UYJS] | 'P' [TBV]?;
fragment ESCAPED: '\\' .;

QUOTED_NAME: '`' (ESCAPED | '``' | ~[`\\])* '`';
OPEN_NAME: '`' (ESCAPED | '``' | ~[`\\])* '\\'?;

NAME: [A-Z_] [A-Z0-9_]*;
NAMED_VALUE: '$' (NAME | QUOTED_NAME);

COMMENT: ('--' ~[\r\n]* | '/*' .*? '*/') -> skip;
OPEN_COMMENT: '/*' ('*' ~'/' | ~'*')* '*'?;
SPACE: [ \t\r\n\f\u000B\u00A0\uFEFF]+ -> skip;
BAD_CHARACTER: .;

fragment DIGIT: [0-9];
fragment EXPONENT: 'E' [+-]? DIGIT+;
