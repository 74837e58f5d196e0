package io.cleave.yt.command;

import io.cleave.value.YsonNode;

/// The form of an answer that has a name.
public final class AnswerShape {
    private AnswerShape() {}

    /// `{name=value}` in version 4. The bare value in version 3, or if the parameter
    /// `return_only_value` is set.
    public static YsonNode named(CommandCall call, String name, YsonNode value) {
        boolean isBare =
                call.apiVersion() == 3 || call.parameters().flag("return_only_value", false);
        return isBare ? value : YsonNode.map().with(name, value).build();
    }
}
