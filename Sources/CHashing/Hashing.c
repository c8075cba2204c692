#include "Hashing.h"
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

struct winch_hash {
    EVP_MD_CTX *context;
};

static const EVP_MD *named(winch_hash_function function) {
    switch (function) {
    case WINCH_MD5: return EVP_md5();
    case WINCH_SHA1: return EVP_sha1();
    case WINCH_SHA256: return EVP_sha256();
    case WINCH_SHA512: return EVP_sha512();
    }
    return NULL;
}

static winch_hash *allocated(void) {
    winch_hash *hash = malloc(sizeof *hash);
    if (hash && !(hash->context = EVP_MD_CTX_new())) {
        free(hash);
        return NULL;
    }
    return hash;
}

winch_hash *winch_hash_new(winch_hash_function function) {
    winch_hash *hash = allocated();
    if (hash && EVP_DigestInit_ex(hash->context, named(function), NULL)) return hash;
    winch_hash_free(hash);
    return NULL;
}

winch_hash *winch_hash_copy(const winch_hash *original) {
    winch_hash *hash = allocated();
    if (hash && EVP_MD_CTX_copy_ex(hash->context, original->context)) return hash;
    winch_hash_free(hash);
    return NULL;
}

void winch_hash_free(winch_hash *hash) {
    if (!hash) return;
    EVP_MD_CTX_free(hash->context);
    free(hash);
}

bool winch_hash_update(winch_hash *hash, const void *bytes, size_t count) {
    return EVP_DigestUpdate(hash->context, bytes, count);
}

size_t winch_hash_final(winch_hash *hash, uint8_t result[WINCH_HASH_MOST]) {
    unsigned length = 0;
    return EVP_DigestFinal_ex(hash->context, result, &length) ? length : 0;
}

bool winch_hmac_sha1(const void *key, size_t key_count, const void *bytes, size_t count, uint8_t hash[20]) {
    if (key_count > INT_MAX) return false;
    // No key at all is a key of no bytes, which OpenSSL takes for "the one before".
    return HMAC(EVP_sha1(), key_count ? key : "", (int)key_count, bytes, count, hash, NULL);
}
