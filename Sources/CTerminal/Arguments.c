#include "CTerminal.h"

#include <string.h>

// The original memory of the command line, which other processes can read: Swift works on a copy of it.
static int argument_count;
static char **arguments;

// glibc passes a program's arguments to its constructors.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

void winch_argument_cover(int index, size_t from, size_t length) {
    if (index < 0 || index >= argument_count || !arguments[index]) return;
    size_t whole = strlen(arguments[index]);
    if (from >= whole) return;
    memset(arguments[index] + from, '*', length < whole - from ? length : whole - from);
}
