#pragma once
// The system's headers belong to Glibc, whichever module is loaded first.
#pragma clang module import SwiftGlibc
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Names of key parameters. They are macros of string literals; a parameter array keeps the pointer, so it
// has to be one that lives for ever.
static inline const char *wake_pkey_param_group_name(void) { return OSSL_PKEY_PARAM_GROUP_NAME; }
static inline const char *wake_pkey_param_private_key(void) { return OSSL_PKEY_PARAM_PRIV_KEY; }
static inline const char *wake_pkey_param_public_key(void) { return OSSL_PKEY_PARAM_PUB_KEY; }
static inline const char *wake_mac_param_digest(void) { return OSSL_MAC_PARAM_DIGEST; }
static inline int wake_pkey_keypair(void) { return EVP_PKEY_KEYPAIR; }
static inline uint64_t wake_init_no_atexit(void) { return OPENSSL_INIT_NO_ATEXIT; }
