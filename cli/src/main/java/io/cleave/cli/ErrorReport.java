package io.cleave.cli;

import tech.ydb.core.Issue;
import tech.ydb.core.Status;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// Prints why a query failed: the status, and each message with its line and column and a caret
/// under that place in the text.
final class ErrorReport {
    private static final String INDENT = "  ";

    private final PrintStream out;
    private final List<String> lines;

    ErrorReport(PrintStream out, String text) {
        this.out = out;
        this.lines = text.lines().toList();
    }

    void failed(Status status) {
        List<Issue> issues = leaves(status.getIssues());
        if (issues.isEmpty()) {
            Throwable cause = status.getCause();
            String why = cause == null ? "" : ": " + cause.getMessage();
            out.println("error: " + status.getCode().name() + why);
        }
        issues.forEach(issue -> print("error: " + status.getCode().name(), issue));
    }

    /// Reports a result that the client cannot read.
    void unreadable(Throwable why) {
        out.println("error: the result cannot be read: " + why.getMessage());
    }

    void warned(Issue[] issues) {
        leaves(issues).forEach(issue -> print("warning", issue));
    }

    /// The issues without nested ones. An issue with nested ones only names the phase that found
    /// them.
    private static List<Issue> leaves(Issue[] issues) {
        List<Issue> leaves = new ArrayList<>();
        for (Issue issue : issues) {
            if (issue.getIssues().length == 0) {
                leaves.add(issue);
            } else {
                leaves.addAll(leaves(issue.getIssues()));
            }
        }
        return leaves;
    }

    private void print(String kind, Issue issue) {
        int row = issue.getPosition().getRow();
        int column = issue.getPosition().getColumn();
        boolean placed = row >= 1 && row <= lines.size() && column >= 1;
        String place = placed ? " at line " + row + ", column " + column : "";
        out.println(kind + place + ": " + issue.getMessage());
        if (placed) {
            String line = lines.get(row - 1);
            out.println(INDENT + line);
            out.println(INDENT + caretBelow(line, column));
        }
    }

    /// Tabs are kept, so that the caret is in the right column for any tab width.
    private static String caretBelow(String line, int column) {
        var caret = new StringBuilder();
        for (int offset = 0; offset < column - 1; offset++) {
            caret.append(offset < line.length() && line.charAt(offset) == '\t' ? '\t' : ' ');
        }
        return caret.append('^').toString();
    }
}
