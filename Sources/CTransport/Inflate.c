#include "Inflate.h"
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct winch_inflater {
    z_stream stream;
};

// The largest window, and 16 for "gzip and nothing else".
static const int gzip_window = 15 + 16;

winch_inflater *winch_inflater_new(void) {
    winch_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater && inflateInit2(&inflater->stream, gzip_window) != Z_OK) {
        free(inflater);
        return NULL;
    }
    return inflater;
}

void winch_inflater_free(winch_inflater *inflater) {
    if (!inflater) return;
    inflateEnd(&inflater->stream);
    free(inflater);
}

void winch_inflater_reset(winch_inflater *inflater) { inflateReset(&inflater->stream); }

static uInt bounded(size_t count) { return count > UINT_MAX ? UINT_MAX : (uInt)count; }

winch_inflated winch_inflate(
    winch_inflater *inflater, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    z_stream *stream = &inflater->stream;
    uInt given = bounded(*input_count), room = bounded(*output_count);
    stream->next_in = (Bytef *)input;
    stream->avail_in = given;
    stream->next_out = output;
    stream->avail_out = room;
    int code = inflate(stream, Z_NO_FLUSH);
    *input_count -= given - stream->avail_in;
    *output_count -= room - stream->avail_out;
    if (code == Z_STREAM_END) return WINCH_INFLATE_END;
    return code == Z_OK || code == Z_BUF_ERROR ? WINCH_INFLATE_MORE : WINCH_INFLATE_DAMAGED;
}
