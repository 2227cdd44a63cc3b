/* HMAC-SHA-256 (FIPS 180-4, RFC 2104), without the C library. The engine authenticates its answers with it and the state's key. */

#ifndef CROSSHOOK_HMAC_H
#define CROSSHOOK_HMAC_H

#include <stddef.h>
#include <stdint.h>

#define MAC_SIZE 32u
#define BLOCK_SIZE 64u

struct sha256 {
  uint32_t state[8];
  uint64_t size;
  uint8_t block[BLOCK_SIZE];
};

static inline uint32_t rotate(uint32_t value, int by) { return value >> by | value << (32 - by); }

static inline void sha256_block(uint32_t *state, const uint8_t *at) {
  static const uint32_t k[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
      0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
      0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
      0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
      0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
      0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++, at += 4) w[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  for (int i = 0; i < 8; i++) v[i] = state[i];
  for (int i = 0; i < 64; i++) {
    uint32_t e = v[4], a = v[0];
    uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
    uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6], v[6] = v[5], v[5] = e, v[4] = v[3] + t1, v[3] = v[2], v[2] = v[1], v[1] = a, v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) state[i] += v[i];
}

static inline void sha256_begin(struct sha256 *hash) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0; i < 8; i++) hash->state[i] = start[i];
  hash->size = 0;
}

static inline void sha256_add(struct sha256 *hash, const void *from, size_t size) {
  const uint8_t *at = from;
  size_t have = hash->size % BLOCK_SIZE;
  hash->size += size;
  while (size > 0) {
    if (have == 0 && size >= BLOCK_SIZE) {
      sha256_block(hash->state, at);
      at += BLOCK_SIZE, size -= BLOCK_SIZE;
      continue;
    }
    hash->block[have++] = *at++, size--;
    if (have < BLOCK_SIZE) continue;
    sha256_block(hash->state, hash->block);
    have = 0;
  }
}

static inline void sha256_end(struct sha256 *hash, uint8_t *digest) {
  static const uint8_t one = 0x80, zero = 0;
  uint64_t bits = hash->size * 8;
  uint8_t length[8];
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  sha256_add(hash, &one, 1);
  while (hash->size % BLOCK_SIZE != BLOCK_SIZE - 8) sha256_add(hash, &zero, 1);
  sha256_add(hash, length, 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

/* `key` has MAC_SIZE bytes. */
static inline void hmac_begin(struct sha256 *hash, const uint8_t *key) {
  uint8_t pad[BLOCK_SIZE];
  for (size_t i = 0; i < BLOCK_SIZE; i++) pad[i] = (uint8_t)((i < MAC_SIZE ? key[i] : 0) ^ 0x36);
  sha256_begin(hash);
  sha256_add(hash, pad, BLOCK_SIZE);
}

static inline void hmac_end(struct sha256 *hash, const uint8_t *key, uint8_t *mac) {
  uint8_t pad[BLOCK_SIZE], inner[MAC_SIZE];
  sha256_end(hash, inner);
  for (size_t i = 0; i < BLOCK_SIZE; i++) pad[i] = (uint8_t)((i < MAC_SIZE ? key[i] : 0) ^ 0x5c);
  sha256_begin(hash);
  sha256_add(hash, pad, BLOCK_SIZE);
  sha256_add(hash, inner, MAC_SIZE);
  sha256_end(hash, mac);
}

#endif
