package io.cleave.function.document;

import io.cleave.base.Bytes;
import io.cleave.function.call.FunctionCall;
import io.cleave.typed.Typed;
import io.cleave.typed.ValueSizes;
import io.cleave.value.Type;
import io.cleave.value.Type.Primitive;
import io.cleave.value.Value;
import io.cleave.value.YsonNode;

import java.util.ArrayList;
import java.util.List;

/// `Yson::Iterate(node)`: a traversal of the tree as a list of events. A leaf is a `Value`. A list,
/// a map or a node with attributes is enclosed by a `PreValue` and a `PostValue`.
final class YsonIteration {
    private static final String BEGIN_ATTRIBUTES = "BeginAttributes";
    private static final String BEGIN_LIST = "BeginList";
    private static final String BEGIN_MAP = "BeginMap";
    private static final String END_ATTRIBUTES = "EndAttributes";
    private static final String END_LIST = "EndList";
    private static final String END_MAP = "EndMap";
    private static final String ITEM = "Item";
    private static final String KEY = "Key";
    private static final String POST_VALUE = "PostValue";
    private static final String PRE_VALUE = "PreValue";
    private static final String VALUE = "Value";

    /// Sorted by name, as the members of a variant must be.
    private static final Type.Struct EVENTS =
            new Type.Struct(
                    List.of(
                            new Type.Member(BEGIN_ATTRIBUTES, Type.Unit.VOID),
                            new Type.Member(BEGIN_LIST, Type.Unit.VOID),
                            new Type.Member(BEGIN_MAP, Type.Unit.VOID),
                            new Type.Member(END_ATTRIBUTES, Type.Unit.VOID),
                            new Type.Member(END_LIST, Type.Unit.VOID),
                            new Type.Member(END_MAP, Type.Unit.VOID),
                            new Type.Member(ITEM, Type.Unit.VOID),
                            new Type.Member(KEY, Primitive.STRING),
                            new Type.Member(POST_VALUE, YsonModule.NODE),
                            new Type.Member(PRE_VALUE, YsonModule.NODE),
                            new Type.Member(VALUE, YsonModule.NODE)));

    private final List<Value> events = new ArrayList<>();

    /// The size of all nodes in events. A node is counted again in the events of each enclosing
    /// node.
    private long keptBytes;

    private YsonIteration() {}

    static Typed resolve(FunctionCall call) {
        call.expect(1);
        return call.strict(
                new Type.ListOf(new Type.Variant(EVENTS)),
                List.of(YsonModule.argument(call, 0)),
                a -> {
                    var iteration = new YsonIteration();
                    iteration.walk(YsonModule.node(a[0]));
                    return Value.items(iteration.events);
                });
    }

    private void walk(YsonNode node) {
        switch (node) {
            case YsonNode.Items(List<YsonNode> items) -> {
                add(PRE_VALUE, YsonModule.value(node));
                add(BEGIN_LIST);
                for (YsonNode item : items) {
                    add(ITEM);
                    walk(item);
                }
                add(END_LIST);
                add(POST_VALUE, YsonModule.value(node));
            }
            case YsonNode.Members members -> {
                add(PRE_VALUE, YsonModule.value(node));
                add(BEGIN_MAP);
                walkMembers(members);
                add(END_MAP);
                add(POST_VALUE, YsonModule.value(node));
            }
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value)
                    when attributes.members().isEmpty() ->
                    walk(value);
            case YsonNode.Attributed(YsonNode.Members attributes, YsonNode value) -> {
                add(PRE_VALUE, YsonModule.value(node));
                add(BEGIN_ATTRIBUTES);
                walkMembers(attributes);
                add(END_ATTRIBUTES);
                walk(value);
                add(POST_VALUE, YsonModule.value(node));
            }
            case YsonNode.Entity _,
                    YsonNode.Bool _,
                    YsonNode.Int64 _,
                    YsonNode.Uint64 _,
                    YsonNode.Real _,
                    YsonNode.Text _ ->
                    add(VALUE, YsonModule.value(node));
        }
    }

    private void walkMembers(YsonNode.Members members) {
        members.members()
                .forEach(
                        (name, value) -> {
                            add(KEY, Value.binary(name));
                            walk(value);
                        });
    }

    private void add(String event) {
        add(event, Value.Null.NULL);
    }

    private void add(String event, Value value) {
        if (value instanceof Value.Binary(Bytes bytes)) {
            keptBytes += bytes.length();
            ValueSizes.requireBytes(keptBytes);
        }
        events.add(new Value.Choice(EVENTS.indexOf(event), value));
    }
}
