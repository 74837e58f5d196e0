package io.cleave.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/// The command line starts a node or a cluster and otherwise talks to them as any client does.
class LayersTest {
    @Test
    void ofTheDatabaseOnlyTheNodeIsNamed() {
        var barred =
                DescribedPredicate.<JavaClass>describe(
                        "classes of the database other than the node",
                        c ->
                                c.getPackageName().startsWith("io.cleave.")
                                        && !c.getPackageName().equals("io.cleave.node")
                                        && !c.getPackageName().startsWith("io.cleave.bookkeeper")
                                        && !c.getPackageName().equals("io.cleave.cli"));
        noClasses()
                .should()
                .dependOnClassesThat(barred)
                .check(new ClassFileImporter().importPath(Path.of("target/classes")));
    }
}
