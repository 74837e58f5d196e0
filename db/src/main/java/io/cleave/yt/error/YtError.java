package io.cleave.yt.error;

import io.cleave.base.Bytes;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// An error of YTsaurus' API. Clients search for codes through the whole tree of inner errors.
public record YtError(
        int code, String message, YsonNode.Members attributes, List<YtError> innerErrors) {
    private static final YsonNode.Members NO_ATTRIBUTES =
            new YsonNode.Members(new LinkedHashMap<>());

    public YtError {
        innerErrors = List.copyOf(innerErrors);
    }

    public static YtError of(int code, String message) {
        return new YtError(code, message, NO_ATTRIBUTES, List.of());
    }

    /// This error with one more attribute.
    public YtError with(String name, YsonNode value) {
        var members = new LinkedHashMap<>(attributes.members());
        members.put(Bytes.utf8(name), value);
        return new YtError(code, message, new YsonNode.Members(members), innerErrors);
    }

    /// This error with one more attribute, a string.
    public YtError with(String name, String value) {
        return with(name, new YsonNode.Text(Bytes.utf8(value)));
    }

    /// This error with one more inner error.
    public YtError with(YtError inner) {
        var errors = new ArrayList<>(innerErrors);
        errors.add(inner);
        return new YtError(code, message, attributes, errors);
    }

    /// The message, and those of the errors inside it, on one line.
    public String text() {
        var text = new StringBuilder(message);
        innerErrors.forEach(inner -> text.append(": ").append(inner.text()));
        return text.toString();
    }

    public YtException exception() {
        return new YtException(this);
    }
}
