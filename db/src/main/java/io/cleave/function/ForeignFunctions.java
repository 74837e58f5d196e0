package io.cleave.function;

import java.util.Map;

/// Function names of other databases, with the YQL functions that replace them. SQL libraries for
/// several databases call them if their YDB dialect is incomplete.
final class ForeignFunctions {
    private static final Map<String, String> INSTEAD =
            Map.ofEntries(
                    Map.entry("lower", "Unicode::ToLower or String::AsciiToLower"),
                    Map.entry("upper", "Unicode::ToUpper or String::AsciiToUpper"),
                    Map.entry("trim", "Unicode::Strip or String::Strip"),
                    Map.entry("replace", "Unicode::ReplaceAll or String::ReplaceAll"),
                    Map.entry("substr", "Unicode::Substring or SUBSTRING"),
                    Map.entry("left", "Unicode::Substring or SUBSTRING"),
                    Map.entry("right", "Unicode::Substring or SUBSTRING"),
                    Map.entry("lpad", "String::LeftPad"),
                    Map.entry("rpad", "String::RightPad"),
                    Map.entry("concat", "the operator ||"),
                    Map.entry("position", "FIND or Unicode::Find"),
                    Map.entry("strpos", "FIND or Unicode::Find"),
                    Map.entry("locate", "FIND or Unicode::Find"),
                    Map.entry("now", "CurrentUtcTimestamp()"),
                    Map.entry("currentdate", "CurrentUtcDate()"),
                    Map.entry("currenttimestamp", "CurrentUtcTimestamp()"),
                    Map.entry("datetrunc", "DateTime::StartOf"),
                    Map.entry("datediff", "the operator - and DateTime::ToDays"),
                    Map.entry("dateadd", "the operator + and an Interval"),
                    Map.entry("tochar", "DateTime::Format"),
                    Map.entry("extract", "DateTime::GetYear and similar functions"),
                    Map.entry("year", "DateTime::GetYear"),
                    Map.entry("month", "DateTime::GetMonth"),
                    Map.entry("day", "DateTime::GetDayOfMonth"),
                    Map.entry("round", "Math::Round"),
                    Map.entry("floor", "Math::Floor"),
                    Map.entry("ceil", "Math::Ceil"),
                    Map.entry("ceiling", "Math::Ceil"),
                    Map.entry("sqrt", "Math::Sqrt"),
                    Map.entry("exp", "Math::Exp"),
                    Map.entry("ln", "Math::Log"),
                    Map.entry("log", "Math::Log"),
                    Map.entry("power", "Math::Pow"),
                    Map.entry("mod", "the operator %"),
                    Map.entry("ifnull", "COALESCE"),
                    Map.entry("isnull", "COALESCE"),
                    Map.entry("stringagg", "AGG_LIST and String::JoinFromList"),
                    Map.entry("listagg", "AGG_LIST and String::JoinFromList"),
                    Map.entry("groupconcat", "AGG_LIST and String::JoinFromList"),
                    Map.entry("arrayagg", "AGG_LIST"));

    private ForeignFunctions() {}

    /// Returns `, consider using Math::Floor instead`, or an empty string for an unknown name.
    static String hint(String plainName) {
        String instead = INSTEAD.get(plainName);
        return instead == null ? "" : ", consider using " + instead + " instead";
    }
}
