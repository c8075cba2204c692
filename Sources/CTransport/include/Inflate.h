// gzip streams through zlib.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct winch_inflater winch_inflater;

typedef enum winch_inflated { WINCH_INFLATE_MORE, WINCH_INFLATE_END, WINCH_INFLATE_DAMAGED } winch_inflated;

// NULL when memory is out.
winch_inflater *winch_inflater_new(void);
void winch_inflater_free(winch_inflater *);
// For the next member of the same stream.
void winch_inflater_reset(winch_inflater *);
// Takes from `input` and gives to `output`; the counts come back as what is left of each.
winch_inflated winch_inflate(
    winch_inflater *, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count);
