package io.cleave.query;

import io.cleave.base.Env;
import io.cleave.plan.PlanText;
import io.cleave.plan.Program;

import java.util.ArrayList;
import java.util.List;

/// Explains texts of several parts without running them. Each part is compiled as if the parts
/// before it had run. Threads: any.
final class PlanExplainer {
    private final Env env;
    private final PlanCache plans;

    PlanExplainer(Env env, PlanCache plans) {
        this.env = env;
        this.plans = plans;
    }

    /// Explains a single program.
    static Explanation of(PlanText text, Compiled compiled) {
        Program program = compiled.program();
        return new Explanation(
                text.json(program),
                text.tree(program),
                program.parameters(),
                program.warnings(),
                compiled.fromCache(),
                compiled.micros());
    }

    Explanation parts(QueryText text, List<String> parts) {
        var tables = new ChangedTables(plans.tables(text));
        List<Compiled> compiled = new ArrayList<>();
        for (String part : parts) {
            Compiled each = plans.compileOnce(text.withText(part), tables);
            tables.apply(each.program());
            compiled.add(each);
        }
        List<Program> programs = compiled.stream().map(Compiled::program).toList();
        var planText = new PlanText(tables);
        return DeepTexts.onLargeStack(
                env,
                () ->
                        Explanation.ofAll(
                                planText.json(programs), planText.tree(programs), compiled));
    }
}
