package io.cleave.control.round;

import io.cleave.balance.ClusterState;
import io.cleave.balance.Decision;
import io.cleave.balance.TableState;
import io.cleave.balance.yt.schedule.MinuteCheck.Missed;
import io.cleave.schema.Table;

import java.util.List;

/// Carries out what the iterations decide.
///
/// Threads: any.
public interface RoundActions {
    /// Whether a change of a table of the bundle was begun and has not ended. Then no iteration
    /// looks at the bundle.
    boolean isBusy(String bundle);

    /// Begins the decisions about a table, and returns at once. Changes are carried out in this
    /// order; what is not a change is only noted.
    void begin(ClusterState cluster, TableState table, List<Decision> decisions);

    /// Notes that a table was not balanced when it should have been.
    void missed(Table table, Missed missed);
}
