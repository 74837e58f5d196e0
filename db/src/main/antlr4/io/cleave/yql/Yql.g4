/// The sentences of YQL: statements, schema, data, queries, expressions, types, names.
///
/// Laid out so that nearly every decision is made by one token: a loop of operators for each level
/// of precedence, no left recursion, and reserved words only where they are needed for that.
/// What the grammar takes and the tree cannot hold is refused by the builders.
parser grammar Yql;

options {
    tokenVocab = YqlLexer;
    superClass = BoundedParser;
}

script
    : SEMICOLON* (statement (SEMICOLON+ | EOF))* EOF
    ;

statement
    : EXPLAIN (QUERY PLAN)? statement # explainStatement
    | DECLARE NAMED_VALUE AS type # declareStatement
    | PRAGMA pragmaName (EQUAL pragmaValue | LEFT_PAREN pragmaValue (COMMA pragmaValue)* RIGHT_PAREN)? # pragmaStatement
    | definition # defineStatement
    | DISCARD? query (INTO NAME resultName)? # queryStatement
    | COMMIT # commitStatement
    | writeKind INTO hintedTable columnNames? query returning? # writeStatement
    | UPDATE hintedTable SET assignments where? returning? # updateStatement
    | UPDATE hintedTable ON columnNames? query returning? # updateOnStatement
    | DELETE FROM hintedTable where? returning? # deleteStatement
    | DELETE FROM hintedTable ON columnNames? query returning? # deleteOnStatement
    | CREATE (TEMP | TEMPORARY)? TABLE (IF NOT EXISTS)? tableName LEFT_PAREN tableEntry (COMMA tableEntry)* COMMA? RIGHT_PAREN (PARTITION BY identifier columnNames)? (WITH settings)? (AS query)? # createTableStatement
    | ALTER TABLE tableName tableChange (COMMA tableChange)* # alterTableStatement
    | DROP TABLE (IF EXISTS)? tableName # dropTableStatement
    | DEFINE (ACTION | SUBQUERY) NAMED_VALUE LEFT_PAREN (routineParameter (COMMA routineParameter)* COMMA?)? RIGHT_PAREN AS routineBody END DEFINE # routineStatement
    | DO (NAMED_VALUE | NAME) LEFT_PAREN (expression (COMMA expression)*)? RIGHT_PAREN # doStatement
    | DO BEGIN routineBody END DO # doBlockStatement
    | TRUNCATE TABLE tableName # truncateStatement
    | BATCH UPDATE hintedTable SET assignments where? returning? # batchUpdateStatement
    | BATCH DELETE FROM hintedTable where? returning? # batchDeleteStatement
    | CREATE VIEW (IF NOT EXISTS)? tableName (WITH (settings | setting))? AS (query | DO BEGIN routineBody END DO) # createViewStatement
    | DROP VIEW (IF EXISTS)? tableName # dropViewStatement
    | SHOW CREATE (TABLE | VIEW) tableName # showCreateStatement
    | ALTER SEQUENCE (IF EXISTS)? tableName sequenceOption+ # alterSequenceStatement
    | access # accessStatement
    | ((CREATE | ALTER | DROP) ~(TABLE | TEMP | TEMPORARY | VIEW | SEQUENCE | USER | GROUP) | CREATE SEQUENCE | DROP SEQUENCE | ALTER VIEW | NAME) ~EOF* # otherStatement
    ;

// INTO RESULT: what it names is not kept.
resultName
    : identifier
    | STRING
    | NAMED_VALUE
    ;

routineParameter
    : NAMED_VALUE QUESTION?
    ;

routineBody
    : SEMICOLON* (statement (SEMICOLON+ statement)* SEMICOLON*)?
    ;

pragmaName
    : (identifier DOT)? identifier
    ;

pragmaValue
    : constant
    | identifier
    ;

definition
    : NAMED_VALUE (COMMA NAMED_VALUE)* EQUAL (bareQuery | expression combination* orderBy? limit?)
    ;

// --- schema

tableEntry
    : columnDefinition
    | anyName // a column of CREATE TABLE … AS
    | PRIMARY KEY columnNames
    | indexDefinition
    | familyDefinition
    | CHANGEFEED identifier WITH settings
    ;

columnDefinition
    : anyName type (columnOption* | LEFT_PAREN columnOption (COMMA columnOption)* RIGHT_PAREN)
    ;

columnOption
    : FAMILY identifier
    | NOT? NULL
    // Not a whole expression: there, NOT could begin its next operator as well as NOT NULL.
    | DEFAULT coalesced
    // What the builder refuses: a key here, COMPRESSION and ENCODING, generated columns.
    | PRIMARY KEY
    | NAME NAME? (AS LEFT_PAREN expression RIGHT_PAREN NAME? | LEFT_PAREN ~RIGHT_PAREN* RIGHT_PAREN)
    | AS LEFT_PAREN expression RIGHT_PAREN NAME?
    ;

indexDefinition
    : INDEX identifier (GLOBAL | LOCAL)? UNIQUE? (SYNC | ASYNC)? (USING identifier)? ON columnNames (COVER columnNames)? (WITH settings)?
    ;

familyDefinition
    : FAMILY identifier settings
    ;

settings
    : LEFT_PAREN (setting (COMMA setting)* COMMA?)? RIGHT_PAREN
    ;

setting
    : identifier EQUAL settingValue
    ;

settingValue
    : constant # constantSetting
    | identifier # wordSetting
    | LEFT_PAREN partitionKey (COMMA partitionKey)* COMMA? RIGHT_PAREN # keysSetting
    | ttlTier (COMMA ttlTier)* (ON anyName (AS identifier)?)? # ttlSetting
    ;

ttlTier
    : identifier LEFT_PAREN STRING RIGHT_PAREN (DELETE | TO (NAME | QUOTED_NAME)+)?
    ;

partitionKey
    : partitionValue
    | LEFT_PAREN partitionValue (COMMA partitionValue)* COMMA? RIGHT_PAREN
    ;

// The builder refuses a name.
partitionValue
    : constant
    | identifier LEFT_PAREN constant (COMMA constant)* RIGHT_PAREN
    | identifier
    ;

tableChange
    : ADD COLUMN? columnDefinition # addColumn
    | DROP COLUMN? anyName # dropColumn
    | ALTER COLUMN anyName SET FAMILY identifier # setFamily
    | ALTER COLUMN anyName DROP NOT NULL # dropNotNull
    | ALTER COLUMN anyName SET NOT NULL # setNotNull
    | ALTER COLUMN anyName SET DEFAULT coalesced # setDefault
    | ALTER COLUMN anyName DROP DEFAULT # dropDefault
    | ADD familyDefinition # addFamily
    | ALTER FAMILY identifier SET identifier settingValue # alterFamily
    | ADD indexDefinition # addIndex
    | DROP INDEX identifier # dropIndex
    | RENAME INDEX identifier TO identifier # renameIndex
    | ALTER INDEX identifier (SET settings | SET identifier settingValue | RESET columnNames) # alterIndex
    | RENAME TO tableName # renameTable
    | SET settings # setSettings
    | SET identifier settingValue # setSetting
    | RESET columnNames # resetSettings
    | (ADD CHANGEFEED identifier WITH settings | ALTER CHANGEFEED identifier SET (settings | identifier settingValue) | DROP CHANGEFEED identifier) # otherChange
    ;

// START, INCREMENT and RESTART; which word takes a number is the builder's to know.
sequenceOption
    : NAME (WITH | BY)? INTEGER?
    ;

// --- users and what they may do

access
    : (CREATE | ALTER) USER tableName userOptions? # putUser
    | CREATE GROUP tableName (WITH USER tableName (COMMA tableName)* COMMA?)? # createGroup
    | ALTER GROUP tableName (ADD | DROP) USER tableName (COMMA tableName)* COMMA? # alterGroup
    | ALTER (USER | GROUP) tableName RENAME TO tableName # renameSubject
    | DROP (USER | GROUP) (IF EXISTS)? tableName (COMMA tableName)* COMMA? # dropSubjects
    | GRANT permissions ON tableName (COMMA tableName)* COMMA? TO tableName (COMMA tableName)* COMMA? (WITH GRANT NAME)? # grant
    | REVOKE (GRANT NAME NAME)? permissions ON tableName (COMMA tableName)* COMMA? FROM tableName (COMMA tableName)* COMMA? # revoke
    ;

// PASSWORD and its text, LOGIN, NOLOGIN, in any order.
userOptions
    : WITH? (NAME | STRING | NULL)+
    ;

permissions
    : ALL NAME?
    | permission (COMMA permission)* COMMA?
    ;

permission
    : STRING
    | (NAME | QUOTED_NAME | softWord | SELECT | CREATE | INSERT | UPDATE | ALTER | DROP | FULL)+
    ;

// --- data

hintedTable
    : tableName hints?
    ;

hints
    : WITH (hint | LEFT_PAREN hint (COMMA hint)* COMMA? RIGHT_PAREN)
    ;

hint
    : hintWord (EQUAL (hintValue | LEFT_PAREN hintValue (COMMA hintValue)* COMMA? RIGHT_PAREN))?
    ;

hintWord
    : identifier
    | STRING
    ;

hintValue
    : hintWord
    | NAMED_VALUE
    ;

writeKind
    : UPSERT
    | REPLACE
    | INSERT (OR (ABORT | REVERT | IGNORE | REPLACE))?
    ;

assignments
    : assignment (COMMA assignment)* COMMA?
    | columnNames EQUAL parenthesized
    ;

assignment
    : anyName EQUAL expression
    ;

returning
    : RETURNING (STAR | anyName (COMMA anyName)*)
    ;

// --- queries

query
    : with? queryTerm combination* orderBy? limit?
    ;

with
    : WITH NAME? commonTable (COMMA commonTable)*
    ;

commonTable
    : identifier columnNames? AS LEFT_PAREN query RIGHT_PAREN
    ;

// Where an expression could stand as well: a parenthesis there begins an expression.
bareQuery
    : (with queryTerm | select | values) combination* orderBy? limit?
    ;

combination
    : (UNION | EXCEPT | INTERSECT) (ALL | DISTINCT)? queryTerm
    ;

queryTerm
    : select
    | values
    | LEFT_PAREN query RIGHT_PAREN
    ;

values
    : VALUES row (COMMA row)* COMMA?
    ;

row
    : LEFT_PAREN expression (COMMA expression)* COMMA? RIGHT_PAREN
    ;

select
    : (FROM first = source)? SELECT (ALL | DISTINCT)? item (COMMA item)* COMMA? without? (FROM from = source)? where? groupBy? having? namedWindows?
    ;

item
    : STAR
    | identifier DOT STAR
    | expression (AS anyName | implicitName)?
    ;

without
    : WITHOUT (IF EXISTS)? withoutColumn (COMMA withoutColumn)* COMMA?
    ;

withoutColumn
    : identifier (DOT identifier)?
    ;

where
    : WHERE expression
    ;

groupBy
    : GROUP COMPACT? BY groupKey (COMMA groupKey)*
    ;

groupKey
    : GROUPING SETS LEFT_PAREN groupKey (COMMA groupKey)* COMMA? RIGHT_PAREN
    | expression (AS anyName)?
    ;

having
    : HAVING expression
    ;

namedWindows
    : WINDOW namedWindow (COMMA namedWindow)*
    ;

namedWindow
    : identifier AS windowOf
    ;

orderBy
    : ORDER BY orderKey (COMMA orderKey)*
    ;

orderKey
    : expression (ASC | DESC)?
    ;

limit
    : LIMIT expression ((OFFSET | COMMA) expression)?
    ;

source
    : sourceTerm join*
    ;

join
    : COMMA sourceTerm
    | joinKind? JOIN sourceTerm (ON expression | USING (columnNames | identifier))?
    ;

joinKind
    : INNER
    | (LEFT | RIGHT) (OUTER | SEMI | ONLY)?
    | FULL OUTER?
    | CROSS
    | EXCLUSION
    ;

sourceTerm
    : ANY? (tableSource | listSource | querySource) hints? ((AS anyName | implicitName) columnNames?)? sample? flatten?
    | ANY? LEFT_PAREN source RIGHT_PAREN
    ;

sample
    : SAMPLE expression
    | TABLESAMPLE identifier LEFT_PAREN expression RIGHT_PAREN (NAME LEFT_PAREN expression RIGHT_PAREN)?
    ;

// LIST, DICT, OPTIONAL and COLUMNS are plain names everywhere else.
flatten
    : FLATTEN (BY flattened | NAME (BY flattened)?)
    ;

flattened
    : LEFT_PAREN argument (COMMA argument)* COMMA? RIGHT_PAREN
    | identifier (DOT identifier)? (AS anyName)?
    ;

tableSource
    : tableName (VIEW (PRIMARY KEY | identifier))?
    ;

listSource
    : identifier LEFT_PAREN expression (COMMA expression)* RIGHT_PAREN
    | NAMED_VALUE LEFT_PAREN (expression (COMMA expression)*)? RIGHT_PAREN
    ;

querySource
    : LEFT_PAREN query RIGHT_PAREN
    ;

// --- expressions, from the loosest operator to the tightest

expression
    : conjunction (OR conjunction)*
    ;

conjunction
    : exclusive (AND exclusive)*
    ;

exclusive
    : predicate (XOR predicate)*
    ;

predicate
    : comparison test*
    ;

test
    : (EQUAL | EQUAL_EQUAL | NOT_EQUAL) comparison # equalTest
    | NOT? (LIKE | ILIKE | REGEXP | RLIKE | MATCH | GLOB) comparison (ESCAPE comparison)? # matchTest
    | NOT? IN COMPACT? postfix # inTest
    | NOT? BETWEEN (SYMMETRIC | ASYMMETRIC)? comparison AND comparison # betweenTest
    | (ISNULL | NOTNULL | IS NOT? NULL | NOT NULL) # nullTest
    | IS NOT? DISTINCT FROM comparison # distinctTest
    ;

comparison
    : coalesced ((LESS | LESS_OR_EQUAL | GREATER | GREATER_OR_EQUAL) coalesced)*
    ;

// From the right.
coalesced
    : bitwise (COALESCE bitwise)*
    ;

bitwise
    : additive ((AMPERSAND | PIPE | CARET | SHIFT_LEFT | SHIFT_RIGHT | ROTATE_LEFT | ROTATE_RIGHT) additive)*
    ;

additive
    : multiplicative ((PLUS | MINUS) multiplicative)*
    ;

multiplicative
    : concatenation ((STAR | SLASH | PERCENT) concatenation)*
    ;

concatenation
    : unary (CONCAT unary)*
    ;

// NOT is a sign like the others: `NOT a = b` is `(NOT a) = b`, and `NOT a IS NULL` asks whether
// `NOT a` is NULL.
unary
    : (PLUS | MINUS | TILDE | NOT)* postfix
    ;

postfix
    : primary suffix*
    ;

suffix
    : DOT (identifier | INTEGER | REAL)
    | LEFT_SQUARE expression RIGHT_SQUARE
    | call
    | QUESTION
    | QUESTIONS
    ;

primary
    : literal # literalPrimary
    | NAMED_VALUE # namedPrimary
    | identifier (NAMESPACE anyName)? # namePrimary
    | parenthesized (ARROW lambdaBody)? # parenthesizedPrimary
    | CASE subject = expression? when+ (ELSE otherwise = expression)? END # casePrimary
    | (CAST | BITCAST) LEFT_PAREN expression AS type RIGHT_PAREN # castPrimary
    | EXISTS LEFT_PAREN query RIGHT_PAREN # existsPrimary
    | LEFT_SQUARE (expression (COMMA expression)*)? COMMA? RIGHT_SQUARE # listPrimary
    | LEFT_CURLY (dictItem (COMMA dictItem)*)? COMMA? RIGHT_CURLY # dictPrimary
    | STRUCT_OPEN (structMember (COMMA structMember)*)? COMMA? STRUCT_CLOSE # structPrimary
    | compositeType # typePrimary
    | jsonCall # jsonPrimary
    ;

// The functions on JSON have clauses instead of arguments.
jsonCall
    : JSON_EXISTS LEFT_PAREN jsonPath jsonExistsHandler? RIGHT_PAREN
    | JSON_VALUE LEFT_PAREN jsonPath (RETURNING type)? jsonValueHandler* RIGHT_PAREN
    | JSON_QUERY LEFT_PAREN jsonPath jsonWrapper? jsonQueryHandler* RIGHT_PAREN
    ;

jsonPath
    : expression COMMA STRING (PASSING jsonVariable (COMMA jsonVariable)*)?
    ;

jsonVariable
    : expression AS tag
    ;

jsonExistsHandler
    : (UNKNOWN | TRUE | FALSE | ERROR) ON ERROR
    ;

jsonValueHandler
    : (NULL | ERROR | DEFAULT expression) ON on = (EMPTY | ERROR)
    ;

jsonQueryHandler
    : (ERROR | NULL | EMPTY (ARRAY | OBJECT)) ON on = (EMPTY | ERROR)
    ;

jsonWrapper
    : WITHOUT ARRAY? WRAPPER
    | WITH (CONDITIONAL | UNCONDITIONAL)? ARRAY? WRAPPER
    ;

parenthesized
    : LEFT_PAREN (bareQuery | argument ((COMMA argument)* COMMA? | combination+ orderBy? limit?))? RIGHT_PAREN
    ;

lambdaBody
    : LEFT_PAREN expression RIGHT_PAREN
    | LEFT_CURLY SEMICOLON* (definition SEMICOLON+)* RETURN expression SEMICOLON* RIGHT_CURLY
    ;

when
    : WHEN expression THEN expression
    ;

dictItem
    : expression (COLON expression)?
    ;

structMember
    : (identifier | STRING) COLON expression
    | key = expression COLON value = expression
    ;

call
    : LEFT_PAREN (STAR | (ALL | DISTINCT)? argument (COMMA argument)* COMMA?)? RIGHT_PAREN ((IGNORE | NAME) NULLS | FILTER LEFT_PAREN WHERE expression RIGHT_PAREN)? (OVER window)?
    ;

argument
    : expression (AS anyName)?
    ;

window
    : identifier
    | windowOf
    ;

windowOf
    : LEFT_PAREN implicitName? (PARTITION COMPACT? BY argument (COMMA argument)* COMMA?)? orderBy? frame? RIGHT_PAREN
    ;

frame
    : (ROWS | RANGE | GROUPS) (frameBound | BETWEEN frameBound AND frameBound)
    ;

// `CURRENT ROW`, `UNBOUNDED PRECEDING`, `3 FOLLOWING`: a value, and a word that says what it is.
frameBound
    : expression NAME
    ;

literal
    : INTEGER
    | REAL
    | STRING
    | TRUE
    | FALSE
    | NULL
    ;

// A literal that may have a sign.
constant
    : (PLUS | MINUS)? (INTEGER | REAL)
    | STRING
    | TRUE
    | FALSE
    | NULL
    ;

// --- types

type
    : (namedType | compositeType | NAMED_VALUE) (QUESTION | QUESTIONS | COALESCE)*
    ;

namedType
    : identifier (LEFT_PAREN typeNumber COMMA typeNumber RIGHT_PAREN)?
    | NULL
    ;

typeNumber
    : INTEGER
    | NAMED_VALUE
    ;

compositeType
    : (OPTIONAL_OF | LIST_OF | SET_OF) type GREATER
    | DICT_OF type COMMA type GREATER
    | TAGGED_OF type COMMA (tag | NAMED_VALUE) GREATER
    | ENUM_OF tag (COMMA tag)* COMMA? GREATER
    | TUPLE_OF (type (COMMA type)* COMMA?)? GREATER
    | STRUCT_OF (structType (COMMA structType)* COMMA?)? GREATER
    | VARIANT_OF (structType (COMMA structType)* | type (COMMA type)*) COMMA? GREATER
    ;

structType
    : tag COLON type
    ;

tag
    : anyName
    | STRING
    ;

// --- names

tableName
    : identifier
    | NAMED_VALUE
    ;

columnNames
    : LEFT_PAREN anyName (COMMA anyName)* COMMA? RIGHT_PAREN
    ;

// Any word at all: behind AS, and where columns are listed. Behind a dot Tokens has made it a NAME.
anyName
    : identifier
    | reserved
    ;

identifier
    : NAME
    | QUOTED_NAME
    | softWord
    | word
    ;

// An alias without AS: none of the words that may follow here with a meaning of their own.
implicitName
    : NAME
    | QUOTED_NAME
    | softWord
    ;

// Keywords that are names everywhere else.
softWord
    : QUERY
    | PLAN
    | KEY
    | INDEX
    | PRIMARY
    | COLUMN
    | FAMILY
    | LOCAL
    | GLOBAL
    | UNIQUE
    | SYNC
    | ASYNC
    | COVER
    | ADD
    | RENAME
    | RESET
    | TEMP
    | TEMPORARY
    | TRUNCATE
    | SEQUENCE
    | BATCH
    | SHOW
    | USER
    | GRANT
    | REVOKE
    | TABLE
    | ABORT
    | REVERT
    | IGNORE
    | COMMIT
    | DEFINE
    | ACTION
    | SUBQUERY
    | BEGIN
    | GROUPING
    | SETS
    | NULLS
    | WRAPPER
    | CONDITIONAL
    | UNCONDITIONAL
    | EMPTY
    | ERROR
    | UNKNOWN
    | ARRAY
    | OBJECT
    ;

// Keywords that are names where nothing but a name or an expression can stand.
word
    : GROUP
    | ORDER
    | ASC
    | DESC
    | LIMIT
    | OFFSET
    | WITHOUT
    | INNER
    | LEFT
    | RIGHT
    | FULL
    | OUTER
    | CROSS
    | SEMI
    | ONLY
    | EXCLUSION
    | ANY
    | VIEW
    | DISCARD
    | OVER
    | PARTITION
    | COMPACT
    | SYMMETRIC
    | ASYMMETRIC
    | REGEXP
    | RLIKE
    | MATCH
    | GLOB
    | ESCAPE
    | UPSERT
    | REPLACE
    | INSERT
    | INTO
    | UPDATE
    | SET
    | DELETE
    | ALTER
    | DROP
    | IF
    | DEFAULT
    | TO
    | WITH
    | DECLARE
    | PRAGMA
    | EXPLAIN
    | DO
    | FLATTEN
    | SAMPLE
    | TABLESAMPLE
    | WINDOW
    | MATCH_RECOGNIZE
    | ROWS
    | RANGE
    | GROUPS
    | PASSING
    | FILTER
    | INHERITS
    | CHANGEFEED
    | CREATE
    | BY
    | JOIN
    | ON
    | USING
    | THEN
    | ELSE
    | END
    | AND
    | OR
    | XOR
    | IN
    | IS
    | ISNULL
    | NOTNULL
    | LIKE
    | ILIKE
    ;

// Keywords that begin or end a clause or an operand, so that only a place for names shows them to
// be one. VALUES is one of them before a parenthesis only: Tokens.
reserved
    : SELECT
    | DISTINCT
    | ALL
    | FROM
    | WHERE
    | HAVING
    | AS
    | UNION
    | INTERSECT
    | EXCEPT
    | VALUES
    | NOT
    | BETWEEN
    | NULL
    | CASE
    | WHEN
    | CAST
    | BITCAST
    | EXISTS
    | RETURN
    | RETURNING
    | JSON_EXISTS
    | JSON_VALUE
    | JSON_QUERY
    ;
