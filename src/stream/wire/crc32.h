/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TK_STREAM_WIRE_CRC32_H
#define TK_STREAM_WIRE_CRC32_H

#include "value/str.h"

/* Returns the CRC-32 (IEEE 802.3, as in gzip) of bytes. */
uint32_t tk_crc32(struct tk_str bytes);

#endif
