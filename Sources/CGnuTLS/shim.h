#pragma once
// The system's headers belong to Glibc, whichever module is loaded first.
#pragma clang module import SwiftGlibc
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
