// Hash functions of OpenSSL's libcrypto.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

typedef struct winch_hash winch_hash;

typedef enum winch_hash_function { WINCH_MD5, WINCH_SHA1, WINCH_SHA256, WINCH_SHA512 } winch_hash_function;

// Bytes of the longest hash.
enum { WINCH_HASH_MOST = 64 };

// NULL when libcrypto refuses the function, as it does MD5 in FIPS mode, or when memory is out; so are those below.
winch_hash *winch_hash_new(winch_hash_function);
winch_hash *winch_hash_copy(const winch_hash *);
void winch_hash_free(winch_hash *);
bool winch_hash_update(winch_hash *, const void *bytes, size_t count);
// The length of the hash, 0 when it failed. Nothing but `winch_hash_free` may follow.
size_t winch_hash_final(winch_hash *, uint8_t hash[WINCH_HASH_MOST]);

// False when it failed. - Source: RFC 2104.
bool winch_hmac_sha1(const void *key, size_t key_count, const void *bytes, size_t count, uint8_t hash[20]);
