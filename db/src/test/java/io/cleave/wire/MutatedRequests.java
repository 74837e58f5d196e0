package io.cleave.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

import java.util.List;
import java.util.random.RandomGenerator;

/// Requests that are almost right: a field changed, dropped, doubled or filled with something of
/// its type.
final class MutatedRequests {
    private static final int MAX_DEPTH = 6;

    private final RandomGenerator random;
    private final List<String> words;

    /// `words` are strings worth trying anywhere: names, ids, texts.
    MutatedRequests(RandomGenerator random, List<String> words) {
        this.random = random;
        this.words = words;
    }

    Message mutate(Message request) {
        Message mutated = request;
        for (int change = random.nextInt(3); change >= 0; change--) {
            mutated = mutate(mutated, 0);
        }
        return mutated;
    }

    private Message mutate(Message message, int depth) {
        List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
        if (fields.isEmpty()) {
            return message;
        }
        FieldDescriptor field = pickField(message, fields);
        Message.Builder builder = message.toBuilder();
        if (field.isRepeated()) {
            mutateRepeated(builder, field, depth);
        } else if (random.nextInt(8) == 0) {
            builder.clearField(field);
        } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && depth < MAX_DEPTH) {
            builder.setField(field, mutate((Message) builder.getField(field), depth + 1));
        } else {
            builder.setField(field, value(builder, field, depth));
        }
        return builder.build();
    }

    /// Mostly one that is set: changes there go deepest.
    private FieldDescriptor pickField(Message message, List<FieldDescriptor> fields) {
        List<FieldDescriptor> set = List.copyOf(message.getAllFields().keySet());
        boolean known = !set.isEmpty() && random.nextInt(3) > 0;
        List<FieldDescriptor> from = known ? set : fields;
        return from.get(random.nextInt(from.size()));
    }

    private void mutateRepeated(Message.Builder builder, FieldDescriptor field, int depth) {
        int count = builder.getRepeatedFieldCount(field);
        boolean messages = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
        if (count > 0 && messages && depth < MAX_DEPTH && random.nextInt(4) > 0) {
            int index = random.nextInt(count);
            Message item = (Message) builder.getRepeatedField(field, index);
            builder.setRepeatedField(field, index, mutate(item, depth + 1));
        } else if (count > 0 && random.nextBoolean()) {
            builder.addRepeatedField(field, builder.getRepeatedField(field, random.nextInt(count)));
        } else if (count > 0 && random.nextBoolean()) {
            builder.clearField(field);
        } else {
            builder.addRepeatedField(field, value(builder, field, depth));
        }
    }

    private Object value(Message.Builder builder, FieldDescriptor field, int depth) {
        return switch (field.getJavaType()) {
            case INT -> random.nextBoolean() ? random.nextInt(-2, 20) : random.nextInt();
            case LONG -> random.nextBoolean() ? random.nextLong(-2, 20) : random.nextLong();
            case FLOAT -> Float.intBitsToFloat(random.nextInt());
            case DOUBLE -> Double.longBitsToDouble(random.nextLong());
            case BOOLEAN -> random.nextBoolean();
            case STRING -> word();
            case BYTE_STRING -> ByteString.copyFrom(bytes());
            case ENUM -> enumValue(field);
            case MESSAGE ->
                    mutate(
                            builder.newBuilderForField(field).build(),
                            Math.min(depth, MAX_DEPTH) + 1);
        };
    }

    private EnumValueDescriptor enumValue(FieldDescriptor field) {
        return random.nextInt(5) == 0
                ? field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(1000))
                : field.getEnumType()
                        .getValues()
                        .get(random.nextInt(field.getEnumType().getValues().size()));
    }

    private String word() {
        return random.nextInt(5) == 0
                ? new String(bytes(), java.nio.charset.StandardCharsets.ISO_8859_1)
                : words.get(random.nextInt(words.size()));
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    /// The bytes of a request with some of them changed, cut off or put in.
    byte[] mutateBytes(Message request) {
        byte[] bytes = request.toByteArray();
        if (bytes.length == 0) {
            return bytes();
        }
        for (int change = random.nextInt(4); change >= 0; change--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) == 0
                ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1))
                : bytes;
    }
}
