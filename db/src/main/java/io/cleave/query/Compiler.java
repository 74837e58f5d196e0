package io.cleave.query;

import io.cleave.analysis.AnalysisOptions;
import io.cleave.analysis.GeneratedColumnAnalyzer;
import io.cleave.analysis.StatementAnalyzer;
import io.cleave.base.Issue;
import io.cleave.plan.Program;
import io.cleave.plan.ProgramPlanner;
import io.cleave.schema.Tables;
import io.cleave.typed.AnalyzedText;
import io.cleave.value.Type;
import io.cleave.yql.Parser;
import io.cleave.ytql.YtSelectTyping;

import java.util.List;
import java.util.Map;

/// Compiles query texts to programs. Every error in a text of YQL is a `StatusException` with its
/// position; every error in a text of YTsaurus' language is a `YtException`. It has no state: any
/// number of threads may share it.
public final class Compiler {
    /// Compiles a text against the current tables. Parameters that the text does not declare have
    /// the types they were sent with.
    public Program compile(
            String text,
            Map<String, Type> sentParameterTypes,
            CompileOptions options,
            Tables tables) {
        if (options.yt().isPresent()) {
            AnalyzedText analyzed =
                    YtSelectTyping.analyze(
                            text,
                            options.yt().get(),
                            options.database(),
                            tables,
                            GeneratedColumnAnalyzer.ANALYZER);
            return plan(analyzed, List.of(), options, tables);
        }
        Parser.Parsed parsed = Parser.read(text);
        AnalyzedText analyzed =
                StatementAnalyzer.analyze(
                        parsed.statements(),
                        new AnalysisOptions(
                                options.database(), options.dialect(), sentParameterTypes),
                        tables);
        return plan(analyzed, parsed.warnings(), options, tables);
    }

    private static Program plan(
            AnalyzedText analyzed, List<Issue> warnings, CompileOptions options, Tables tables) {
        return ProgramPlanner.plan(
                analyzed, warnings, GeneratedColumnAnalyzer.ANALYZER, options.rules(), tables);
    }
}
