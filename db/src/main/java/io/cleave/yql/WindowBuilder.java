package io.cleave.yql;

import io.cleave.base.Issue.Position;
import io.cleave.yql.Expression.Frame;
import io.cleave.yql.Expression.FrameBound;
import io.cleave.yql.Expression.FrameEdge;
import io.cleave.yql.Expression.FrameUnit;
import io.cleave.yql.Expression.Window;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Builds the specification in the parentheses of OVER and WINDOW.
final class WindowBuilder {
    private final ExpressionBuilder expressions;
    private final QueryBuilder queries;

    WindowBuilder(ExpressionBuilder expressions, QueryBuilder queries) {
        this.expressions = expressions;
        this.queries = queries;
    }

    Window window(Yql.WindowOfContext context, boolean ignoreNulls) {
        return new Window(
                Places.at(context),
                context.implicitName() == null
                        ? Optional.empty()
                        : Optional.of(Names.of(context.implicitName())),
                context.argument().stream().map(expressions.operands()::argument).toList(),
                queries.orders(context.orderBy()),
                context.frame() == null ? Optional.empty() : Optional.of(frame(context.frame())),
                ignoreNulls);
    }

    /// A single bound is the beginning of the frame; the frame then ends with the current row.
    private Frame frame(Yql.FrameContext context) {
        FrameUnit unit =
                switch (context.start.getType()) {
                    case Yql.ROWS -> FrameUnit.ROWS;
                    case Yql.RANGE -> FrameUnit.RANGE;
                    default -> FrameUnit.GROUPS;
                };
        List<FrameBound> bounds = context.frameBound().stream().map(this::bound).toList();
        FrameBound to =
                bounds.size() == 2
                        ? bounds.getLast()
                        : new FrameBound(FrameEdge.CURRENT_ROW, Optional.empty());
        Position at = Places.at(context);
        FrameEdge from = bounds.getFirst().edge();
        Position fromAt = Places.at(context.frameBound(0));
        if (from == FrameEdge.UNBOUNDED_FOLLOWING) {
            throw Places.error(fromAt, "Frame cannot start from UNBOUNDED FOLLOWING");
        }
        if (to.edge() == FrameEdge.UNBOUNDED_PRECEDING) {
            throw Places.error(
                    Places.at(context.frameBound().getLast()),
                    "Frame cannot end with UNBOUNDED PRECEDING");
        }
        if (from.compareTo(to.edge()) > 0) {
            throw Places.error(
                    fromAt,
                    "Frame cannot start from %s and end with %s"
                            .formatted(words(from), words(to.edge())));
        }
        return new Frame(at, unit, bounds.getFirst(), to);
    }

    private static String words(FrameEdge edge) {
        return edge.name().replace('_', ' ');
    }

    private FrameBound bound(Yql.FrameBoundContext context) {
        String words = context.getText().toUpperCase(Locale.ROOT);
        switch (words) {
            case "CURRENTROW" -> {
                return new FrameBound(FrameEdge.CURRENT_ROW, Optional.empty());
            }
            case "UNBOUNDEDPRECEDING" -> {
                return new FrameBound(FrameEdge.UNBOUNDED_PRECEDING, Optional.empty());
            }
            case "UNBOUNDEDFOLLOWING" -> {
                return new FrameBound(FrameEdge.UNBOUNDED_FOLLOWING, Optional.empty());
            }
            default -> {}
        }
        String edge = context.NAME().getText();
        boolean preceding = edge.equalsIgnoreCase("PRECEDING");
        if (!preceding && !edge.equalsIgnoreCase("FOLLOWING")) {
            throw Places.error(
                    Places.at(context.NAME().getSymbol()),
                    "mismatched input '%s', expecting PRECEDING or FOLLOWING".formatted(edge));
        }
        return new FrameBound(
                preceding ? FrameEdge.PRECEDING : FrameEdge.FOLLOWING,
                Optional.of(expressions.expression(context.expression())));
    }
}
