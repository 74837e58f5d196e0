/// YQL text to a syntax tree. Pure: knows no table and no type beyond its name.
@NullMarked
package io.cleave.yql;

import org.jspecify.annotations.NullMarked;
