package io.cleave.base;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BiConsumer;

/// An immutable sorted map. A changed map shares all but the path to the changed entry with the map
/// before, so a change of one entry costs a logarithm of the size. A balanced (AVL) tree.
public final class PersistentMap<K extends Comparable<K>, V> {
    private final @Nullable Tree<K, V> root;

    private PersistentMap(@Nullable Tree<K, V> root) {
        this.root = root;
    }

    private record Tree<K, V>(
            K key,
            V value,
            @Nullable Tree<K, V> left,
            @Nullable Tree<K, V> right,
            int height,
            int size) {}

    public static <K extends Comparable<K>, V> PersistentMap<K, V> empty() {
        return new PersistentMap<>(null);
    }

    public int size() {
        return size(root);
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(get(key));
    }

    public boolean contains(K key) {
        return get(key) != null;
    }

    private @Nullable V get(K key) {
        @Nullable Tree<K, V> at = root;
        while (at != null) {
            int order = key.compareTo(at.key);
            if (order == 0) {
                return at.value;
            }
            at = order < 0 ? at.left : at.right;
        }
        return null;
    }

    /// This map with the value at the key.
    public PersistentMap<K, V> with(K key, V value) {
        return new PersistentMap<>(put(root, key, value));
    }

    /// This map without the key.
    public PersistentMap<K, V> without(K key) {
        return contains(key) ? new PersistentMap<>(remove(root, key)) : this;
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        Cursor<K, V> cursor = cursor();
        while (cursor.isValid()) {
            action.accept(cursor.key(), cursor.value());
            cursor.next();
        }
    }

    /// A cursor at the first entry.
    public Cursor<K, V> cursor() {
        var cursor = new Cursor<>(root);
        cursor.descend(root);
        return cursor;
    }

    /// A cursor at the first entry whose key is `from` or greater.
    public Cursor<K, V> cursor(K from) {
        var cursor = new Cursor<>(root);
        cursor.seek(from);
        return cursor;
    }

    /// Walks the entries in the order of their keys.
    ///
    /// Threads: one at a time.
    public static final class Cursor<K extends Comparable<K>, V> {
        private final @Nullable Tree<K, V> root;

        /// The entry, and those above it that come after it.
        private final Deque<Tree<K, V>> path = new ArrayDeque<>();

        private Cursor(@Nullable Tree<K, V> root) {
            this.root = root;
        }

        public boolean isValid() {
            return !path.isEmpty();
        }

        public K key() {
            return path.element().key;
        }

        public V value() {
            return path.element().value;
        }

        public void next() {
            descend(path.remove().right);
        }

        /// Moves to the first entry whose key is `from` or greater.
        public void seek(K from) {
            path.clear();
            @Nullable Tree<K, V> at = root;
            while (at != null) {
                int order = from.compareTo(at.key);
                if (order <= 0) {
                    path.push(at);
                }
                if (order == 0) {
                    return;
                }
                at = order < 0 ? at.left : at.right;
            }
        }

        private void descend(@Nullable Tree<K, V> from) {
            @Nullable Tree<K, V> at = from;
            while (at != null) {
                path.push(at);
                at = at.left;
            }
        }
    }

    private static <K extends Comparable<K>, V> Tree<K, V> put(
            @Nullable Tree<K, V> tree, K key, V value) {
        if (tree == null) {
            return new Tree<>(key, value, null, null, 1, 1);
        }
        int order = key.compareTo(tree.key);
        if (order == 0) {
            return node(key, value, tree.left, tree.right);
        }
        return order < 0
                ? balanced(tree.key, tree.value, put(tree.left, key, value), tree.right)
                : balanced(tree.key, tree.value, tree.left, put(tree.right, key, value));
    }

    private static <K extends Comparable<K>, V> @Nullable Tree<K, V> remove(
            @Nullable Tree<K, V> tree, K key) {
        if (tree == null) {
            return null;
        }
        int order = key.compareTo(tree.key);
        if (order < 0) {
            return balanced(tree.key, tree.value, remove(tree.left, key), tree.right);
        }
        if (order > 0) {
            return balanced(tree.key, tree.value, tree.left, remove(tree.right, key));
        }
        if (tree.left == null) {
            return tree.right;
        }
        if (tree.right == null) {
            return tree.left;
        }
        Tree<K, V> next = tree.right;
        while (next.left != null) {
            next = next.left;
        }
        return balanced(next.key, next.value, tree.left, remove(tree.right, next.key));
    }

    private static <K, V> Tree<K, V> balanced(
            K key, V value, @Nullable Tree<K, V> left, @Nullable Tree<K, V> right) {
        if (left != null && height(left) > height(right) + 1) {
            if (left.right != null && height(left.right) > height(left.left)) {
                Tree<K, V> middle = left.right;
                return node(
                        middle.key,
                        middle.value,
                        node(left.key, left.value, left.left, middle.left),
                        node(key, value, middle.right, right));
            }
            return node(left.key, left.value, left.left, node(key, value, left.right, right));
        }
        if (right != null && height(right) > height(left) + 1) {
            if (right.left != null && height(right.left) > height(right.right)) {
                Tree<K, V> middle = right.left;
                return node(
                        middle.key,
                        middle.value,
                        node(key, value, left, middle.left),
                        node(right.key, right.value, middle.right, right.right));
            }
            return node(right.key, right.value, node(key, value, left, right.left), right.right);
        }
        return node(key, value, left, right);
    }

    private static <K, V> Tree<K, V> node(
            K key, V value, @Nullable Tree<K, V> left, @Nullable Tree<K, V> right) {
        return new Tree<>(
                key,
                value,
                left,
                right,
                1 + Math.max(height(left), height(right)),
                1 + size(left) + size(right));
    }

    private static int height(@Nullable Tree<?, ?> tree) {
        return tree == null ? 0 : tree.height;
    }

    private static int size(@Nullable Tree<?, ?> tree) {
        return tree == null ? 0 : tree.size;
    }
}
