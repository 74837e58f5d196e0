import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Measures the structure of the module `db` and compares it with bars: how large packages, types
/// and constructors are, which classes of a package depend on each other in circles, and what the
/// transactions know of storage. Run by `mvn -N validate -Dhouse` over the classes of the last
/// build. Ends with 1 if a bar is missed.
class House {
    private static final Path CLASSES = Path.of("db/target/classes");
    private static final Path SOURCES = Path.of("db/src/main/java");
    private static final String ROOT = "io.cleave.";

    private static final int MOST_FILES = 60;
    private static final int MOST_IN_KNOT = 12;
    private static final int MOST_METHODS = 30;
    private static final int MOST_PARAMETERS = 7;

    /// Knots that may be larger, by a class in them, with the reason.
    private static final Map<String, String> LARGE_KNOTS =
            Map.of(
                    ROOT + "exec.Operators",
                    "operator recursion: an operator compiles its inputs, which are operators",
                    ROOT + "exec.kernel.Kernel",
                    "sealed family: the kernels and the interface that permits them",
                    ROOT + "yt.format.DataFormat",
                    "sealed family: the formats, with their readers and writers of rows",
                    ROOT + "plan.Planner",
                    "recursion over the plan: a rule plans the inputs of its relation",
                    ROOT + "analysis.ExpressionAnalyzer",
                    "recursion over the syntax tree: a query has expressions, which have queries");

    /// A type in a descriptor or a signature.
    private static final Pattern TYPE = Pattern.compile("L(io/cleave/[\\w/$]+)");

    /// The parameters of a method descriptor.
    private static final Pattern PARAMETER = Pattern.compile("\\[*(?:[BCDFIJSZ]|L[^;]+;)");

    private final Map<String, ClassModel> classes = new TreeMap<>();

    /// By top-level class: the top-level classes that it names.
    private final Map<String, Set<String>> named = new TreeMap<>();

    private int met;
    private int missed;

    void main() throws IOException {
        if (!Files.isDirectory(CLASSES)) {
            System.err.println("there are no classes in " + CLASSES + ": run mvn compile -pl db");
            System.exit(1);
        }
        readClasses();
        measureFiles();
        measureKnots();
        measureMethods();
        measureParameters();
        measureNames();
        measureTransactions();
        IO.println("bars: " + met + " met, " + missed + " missed");
        if (missed > 0) {
            System.exit(1);
        }
    }

    private void readClasses() throws IOException {
        try (var files = Files.walk(CLASSES)) {
            files.filter(f -> f.toString().endsWith(".class"))
                    .filter(f -> hasSource(CLASSES.relativize(f).toString()))
                    .forEach(this::readClass);
        }
    }

    /// Generated classes, such as the parser's, are not measured.
    private static boolean hasSource(String classFile) {
        String name = classFile.replaceFirst("\\.class$", "").replaceFirst("\\$.*", "");
        return Files.exists(SOURCES.resolve(name + ".java")) && !name.endsWith("package-info");
    }

    private void readClass(Path file) {
        try {
            ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
            String name = dotted(model.thisClass().asInternalName());
            classes.put(name, model);
            Set<String> names = named.computeIfAbsent(topLevel(name), _ -> new TreeSet<>());
            for (PoolEntry entry : model.constantPool()) {
                switch (entry) {
                    case ClassEntry type -> names.add(topLevel(dotted(type.asInternalName())));
                    case Utf8Entry text -> {
                        Matcher types = TYPE.matcher(text.stringValue());
                        while (types.find()) {
                            names.add(topLevel(dotted(types.group(1))));
                        }
                    }
                    default -> {}
                }
            }
            names.removeIf(other -> !other.startsWith(ROOT) || other.equals(topLevel(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void measureFiles() throws IOException {
        Map<String, Integer> files = new HashMap<>();
        try (var sources = Files.walk(SOURCES)) {
            sources.filter(f -> f.toString().endsWith(".java"))
                    .map(f -> SOURCES.relativize(f.getParent()).toString().replace('/', '.'))
                    .forEach(f -> files.merge(f, 1, Integer::sum));
        }
        report("files in a package", MOST_FILES, files, Map.of());
    }

    private void measureKnots() {
        Map<String, Integer> knots = new HashMap<>();
        Map<String, String> members = new HashMap<>();
        Map<String, String> reasons = new HashMap<>();
        for (Set<String> knot : new Knots(named).all()) {
            String first = knot.iterator().next();
            String heart = knot.stream().filter(LARGE_KNOTS::containsKey).findFirst().orElse(first);
            knots.put(heart, knot.size());
            if (LARGE_KNOTS.containsKey(heart)) {
                reasons.put(heart, LARGE_KNOTS.get(heart));
            } else if (knot.size() > MOST_IN_KNOT) {
                members.put(
                        heart,
                        knot.stream().map(House::simpleName).collect(Collectors.joining(" ")));
            }
        }
        report("classes in a knot within a package", MOST_IN_KNOT, knots, reasons);
        members.forEach((heart, all) -> IO.println("        " + simpleName(heart) + ": " + all));
    }

    private void measureMethods() {
        Map<String, Integer> methods = new HashMap<>();
        classes.forEach(
                (name, model) -> {
                    long count =
                            model.methods().stream()
                                    .filter(method -> isOwnPublic(model, method))
                                    .count();
                    methods.put(name, (int) count);
                });
        report("public methods of a type", MOST_METHODS, methods, Map.of());
    }

    /// Without constructors, the accessors of a record, and what the compiler adds.
    private static boolean isOwnPublic(ClassModel model, MethodModel method) {
        String name = method.methodName().stringValue();
        boolean isAccessor =
                model.findAttribute(Attributes.record()).stream()
                        .flatMap(record -> record.components().stream())
                        .anyMatch(component -> component.name().equalsString(name));
        return method.flags().has(AccessFlag.PUBLIC)
                && !method.flags().has(AccessFlag.SYNTHETIC)
                && !name.startsWith("<")
                && !isAccessor
                && !Set.of("equals", "hashCode", "toString").contains(name)
                && !(isEnum(model) && Set.of("values", "valueOf").contains(name));
    }

    private static boolean isEnum(ClassModel model) {
        return model.flags().has(AccessFlag.ENUM);
    }

    /// Records are not measured: their parameters have names where they are read.
    private void measureParameters() {
        Map<String, Integer> parameters = new HashMap<>();
        classes.forEach(
                (name, model) -> {
                    boolean isLocal = model.findAttribute(Attributes.enclosingMethod()).isPresent();
                    if (!isLocal && model.findAttribute(Attributes.record()).isEmpty()) {
                        // The name and the number of an enum's constant come before the others.
                        int added = isEnum(model) ? 2 : isInner(name, model) ? 1 : 0;
                        model.methods().stream()
                                .filter(method -> method.methodName().equalsString("<init>"))
                                .filter(method -> !method.flags().has(AccessFlag.SYNTHETIC))
                                .mapToInt(method -> parameters(method) - added)
                                .max()
                                .ifPresent(most -> parameters.put(name, most));
                    }
                });
        report("parameters of a constructor, records aside", MOST_PARAMETERS, parameters, Map.of());
    }

    private static boolean isInner(String name, ClassModel model) {
        String internal = name.replace('.', '/');
        return model.findAttribute(Attributes.innerClasses()).stream()
                .flatMap(inner -> inner.classes().stream())
                .filter(inner -> inner.innerClass().asInternalName().equals(internal))
                .anyMatch(inner -> !inner.has(AccessFlag.STATIC));
    }

    private static int parameters(MethodModel method) {
        String descriptor = method.methodType().stringValue();
        return (int)
                PARAMETER
                        .matcher(descriptor.substring(1, descriptor.indexOf(')')))
                        .results()
                        .count();
    }

    private void measureNames() {
        Map<String, Set<String>> packages = new TreeMap<>();
        for (String type : named.keySet()) {
            packages.computeIfAbsent(simpleName(type), _ -> new TreeSet<>()).add(type);
        }
        packages.values().removeIf(types -> types.size() == 1);
        report("names of two top-level types", 0, packages.size());
        packages.values().forEach(types -> IO.println("        " + String.join(", ", types)));
    }

    /// What `txn` names of `lsm`, and of `tablet` apart from `CellService` and the types in its
    /// signatures.
    private void measureTransactions() {
        Set<String> allowed = typesOf(ROOT + "tablet.CellService");
        Map<String, Set<String>> users = new TreeMap<>();
        named.forEach(
                (user, names) -> {
                    if (packageName(user).startsWith(ROOT + "txn")) {
                        names.stream()
                                .filter(name -> isStorage(name) && !allowed.contains(name))
                                .forEach(
                                        name ->
                                                users.computeIfAbsent(name, _ -> new TreeSet<>())
                                                        .add(simpleName(user)));
                    }
                });
        report("types of lsm and tablet that txn names, CellService aside", 0, users.size());
        users.forEach((type, by) -> IO.println("        " + type + " by " + String.join(" ", by)));
    }

    private static boolean isStorage(String type) {
        String name = packageName(type) + ".";
        return name.startsWith(ROOT + "lsm.") || name.startsWith(ROOT + "tablet.");
    }

    /// The interface itself, and the types that its methods take, return and throw, with the
    /// components of records and the cases of sealed types among them.
    private Set<String> typesOf(String service) {
        Set<String> found = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>();
        if (classes.containsKey(service)) {
            open.add(service);
        }
        while (!open.isEmpty()) {
            String type = open.remove();
            ClassModel model = classes.get(type);
            if (model == null || !found.add(type)) {
                continue;
            }
            boolean isOpen = model.flags().has(AccessFlag.INTERFACE) || isRecord(model);
            if (isOpen) {
                model.methods()
                        .forEach(method -> addTypes(method.methodType().stringValue(), open));
                model.methods().stream()
                        .flatMap(method -> method.findAttribute(Attributes.exceptions()).stream())
                        .flatMap(thrown -> thrown.exceptions().stream())
                        .forEach(thrown -> open.add(dotted(thrown.asInternalName())));
                classes.keySet().stream().filter(n -> n.startsWith(type + "$")).forEach(open::add);
            }
            model.findAttribute(Attributes.permittedSubclasses()).stream()
                    .flatMap(permitted -> permitted.permittedSubclasses().stream())
                    .forEach(permitted -> open.add(dotted(permitted.asInternalName())));
            model.methods().stream()
                    .flatMap(method -> method.findAttribute(Attributes.signature()).stream())
                    .filter(_ -> isOpen)
                    .forEach(signature -> addTypes(signature.signature().stringValue(), open));
        }
        return found.stream().map(House::topLevel).collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isRecord(ClassModel model) {
        return model.findAttribute(Attributes.record()).isPresent();
    }

    private static void addTypes(String descriptor, Deque<String> to) {
        Matcher types = TYPE.matcher(descriptor);
        while (types.find()) {
            to.add(dotted(types.group(1)));
        }
    }

    /// Prints a bar with the largest figures, and each that is over the bar.
    private void report(
            String what, int most, Map<String, Integer> figures, Map<String, String> reasons) {
        List<Map.Entry<String, Integer>> sorted = new ArrayList<>(figures.entrySet());
        sorted.sort(
                Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()));
        int largest =
                sorted.stream()
                        .filter(figure -> !reasons.containsKey(figure.getKey()))
                        .mapToInt(Map.Entry::getValue)
                        .max()
                        .orElse(0);
        report(what, most, largest);
        sorted.stream()
                .filter(figure -> figure.getValue() > most || sorted.indexOf(figure) < 3)
                .forEach(
                        figure ->
                                IO.println(
                                        "    %4d %s%s"
                                                .formatted(
                                                        figure.getValue(),
                                                        figure.getKey(),
                                                        remark(
                                                                figure,
                                                                most,
                                                                reasons.get(figure.getKey())))));
    }

    private static String remark(Map.Entry<String, Integer> figure, int most, String reason) {
        if (figure.getValue() <= most) {
            return "";
        }
        return reason == null ? "  over the bar" : "  (" + reason + ")";
    }

    private void report(String what, int most, int figure) {
        boolean isMet = figure <= most;
        met += isMet ? 1 : 0;
        missed += isMet ? 0 : 1;
        IO.println(
                "%-60s %3d, at most %d: %s"
                        .formatted(what, figure, most, isMet ? "met" : "MISSED"));
    }

    private static String dotted(String internalName) {
        return internalName.replace('/', '.').replaceFirst("^\\[+L?", "").replace(";", "");
    }

    private static String topLevel(String name) {
        return name.replaceFirst("\\$.*", "");
    }

    private static String packageName(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /// Finds the sets of classes of one package of which each depends on each other, directly or
    /// through others: the strongly connected components, by Tarjan's algorithm.
    private static final class Knots {
        private final Map<String, Set<String>> named;
        private final Map<String, Integer> order = new HashMap<>();
        private final Map<String, Integer> low = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<Set<String>> found = new ArrayList<>();

        Knots(Map<String, Set<String>> named) {
            this.named = named;
        }

        /// The largest first; a class alone is no knot.
        List<Set<String>> all() {
            for (String type : named.keySet()) {
                if (!order.containsKey(type)) {
                    visit(type);
                }
            }
            found.removeIf(knot -> knot.size() == 1);
            found.sort(Comparator.comparingInt(knot -> -knot.size()));
            return found;
        }

        private void visit(String type) {
            order.put(type, order.size());
            low.put(type, order.get(type));
            open.push(type);
            for (String next : named.get(type)) {
                if (!named.containsKey(next) || !packageName(next).equals(packageName(type))) {
                    continue;
                }
                if (!order.containsKey(next)) {
                    visit(next);
                    low.merge(type, low.get(next), Math::min);
                } else if (open.contains(next)) {
                    low.merge(type, order.get(next), Math::min);
                }
            }
            if (low.get(type).equals(order.get(type))) {
                Set<String> knot = new TreeSet<>();
                String member;
                do {
                    member = open.pop();
                    knot.add(member);
                } while (!member.equals(type));
                found.add(knot);
            }
        }
    }
}
