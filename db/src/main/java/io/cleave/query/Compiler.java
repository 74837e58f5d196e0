package io.cleave.query;

import io.cleave.analysis.AnalysisOptions;
import io.cleave.analysis.GeneratedColumnAnalyzer;
import io.cleave.analysis.StatementAnalyzer;
import io.cleave.plan.Program;
import io.cleave.plan.ProgramPlanner;
import io.cleave.schema.Tables;
import io.cleave.typed.AnalyzedText;
import io.cleave.value.Type;
import io.cleave.yql.Parser;

import java.util.Map;

/// Compiles query texts to programs. Every error in a text is a `StatusException` with its
/// position. It has no state: any number of threads may share it.
public final class Compiler {
    /// Compiles a text against the current tables. Parameters that the text does not declare have
    /// the types they were sent with.
    public Program compile(
            String text,
            Map<String, Type> sentParameterTypes,
            CompileOptions options,
            Tables tables) {
        Parser.Parsed parsed = Parser.read(text);
        AnalyzedText analyzed =
                StatementAnalyzer.analyze(
                        parsed.statements(),
                        new AnalysisOptions(
                                options.database(), options.dialect(), sentParameterTypes),
                        tables);
        return ProgramPlanner.plan(
                analyzed,
                parsed.warnings(),
                GeneratedColumnAnalyzer.ANALYZER,
                options.rules(),
                tables);
    }
}
