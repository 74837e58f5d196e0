package io.cleave.plan;

import io.cleave.base.Issue;
import io.cleave.base.Status;
import io.cleave.base.StatusException;
import io.cleave.plan.Program.SchemeStep;
import io.cleave.schema.AccessChange;
import io.cleave.schema.SchemeChange;
import io.cleave.typed.TypedStatement.AlterTable;
import io.cleave.typed.TypedStatement.ChangeScheme;
import io.cleave.typed.TypedStatement.CreateTable;
import io.cleave.typed.TypedStatement.DropTable;

import java.util.Optional;

/// YDB's names of the steps, and the errors that contain these names.
public final class StepNames {
    private StepNames() {}

    /// The error of a program that changes the schema where that is not allowed.
    public static StatusException notInDataQuery(Program program) {
        String operation =
                program.steps().stream()
                        .filter(SchemeStep.class::isInstance)
                        .map(step -> name((SchemeStep) step))
                        .findFirst()
                        .orElseThrow();
        return refusal(operation, "data query");
    }

    public static StatusException notInReadOnly(DataSteps.Write write) {
        return refusal(write.mode().operation(), "read only transaction");
    }

    private static StatusException refusal(String operation, String where) {
        return new StatusException(
                Status.GENERIC_ERROR,
                Issue.error(
                        Issue.BAD_OPERATION,
                        "Operation '%s' can't be performed in %s".formatted(operation, where)));
    }

    static String name(SchemeStep step) {
        return switch (step) {
            case SchemeStep.CreateTableAs _, SchemeStep.Change(CreateTable _) -> "CreateTable";
            case SchemeStep.Change(AlterTable _) -> "AlterTable";
            case SchemeStep.Change(DropTable _) -> "DropTable";
            case SchemeStep.Change(ChangeScheme(SchemeChange change)) -> name(change);
        };
    }

    private static String name(SchemeChange change) {
        return switch (change) {
            case SchemeChange.TruncateTable _ -> "TruncateTable";
            case SchemeChange.CreateView _ -> "CreateView";
            case SchemeChange.DropView _ -> "DropView";
            case SchemeChange.AlterSequence _ -> "AlterSequence";
            case SchemeChange.CopyTables _ -> "CopyTables";
            case SchemeChange.Access(AccessChange access) -> name(access);
        };
    }

    private static String name(AccessChange change) {
        return switch (change) {
            case AccessChange.CreateUser _ -> "CreateUser";
            case AccessChange.AlterUser _ -> "AlterUser";
            case AccessChange.CreateGroup _ -> "CreateGroup";
            case AccessChange.AlterGroup _ -> "AlterGroup";
            case AccessChange.Rename(boolean group, _, _) -> group ? "RenameGroup" : "AlterUser";
            case AccessChange.Drop(boolean group, _, _) -> group ? "DropGroup" : "DropUser";
            case AccessChange.Change _ -> "ModifyPermission";
        };
    }

    /// The path of the object that the step changes, if there is exactly one.
    static Optional<String> path(SchemeStep step) {
        return switch (step) {
            case SchemeStep.CreateTableAs(var table, _, _, _) -> Optional.of(table.path());
            case SchemeStep.Change(CreateTable(var table, _, _)) -> Optional.of(table.path());
            case SchemeStep.Change(AlterTable(String path, _)) -> Optional.of(path);
            case SchemeStep.Change(DropTable(String path, _)) -> Optional.of(path);
            case SchemeStep.Change(ChangeScheme(SchemeChange change)) -> path(change);
        };
    }

    private static Optional<String> path(SchemeChange change) {
        return switch (change) {
            case SchemeChange.TruncateTable(String path) -> Optional.of(path);
            case SchemeChange.CreateView view -> Optional.of(view.path());
            case SchemeChange.DropView view -> Optional.of(view.path());
            case SchemeChange.AlterSequence alter -> Optional.of(alter.path());
            case SchemeChange.CopyTables _, SchemeChange.Access _ -> Optional.empty();
        };
    }
}
