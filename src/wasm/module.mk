# SPDX-License-Identifier: Apache-2.0
#
# Makes turnkeeper.wasm. `make wasm` of the main Makefile calls this file in the build folder, because
# automake knows one compiler only. It gives
#
#   WASM_CC   a clang that links programs for wasm32-wasi
#   SOURCES   of the core, headers among them
#   TOP       the source tree
#   VERSION   of the release
#   MSGPACK   the folder of msgpack's headers; the core uses no more of that library
#
# Another target, for tests: wasm/tests/unit/NAME.wasm, a unit test as a program for wasm32-wasi.

OWN = src/wasm/grow.c src/wasm/module.c src/wasm/no_files.c
CORE = $(patsubst %.c,wasm/%.o,$(filter %.c,$(SOURCES)))
OBJECTS = $(CORE) $(patsubst %.c,wasm/%.o,$(OWN))
EXPORTS = tk_module_allocate tk_module_free tk_module_core_new tk_core_free tk_session_new tk_session_free \
	tk_module_call tk_module_most_polls tk_reply_size tk_module_reply_pieces tk_module_reply_piece tk_module_reply_piece_size \
	tk_module_reply_error tk_reply_free tk_version

# What reads every byte of a request is compiled for speed, the rest for size, and the linker inlines only what gets
# shorter by it: the module has five providers' rules and streams, and its size has a bar (doc/EMBED.md).
FAST = src/value/json_read.c src/value/json_plain.c
# Every engine since 2021 has these features.
FEATURES = -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint
# Bytes of the stack, which comes first in the memory, so that exceeding it is a trap and overwrites nothing. The core
# doesn't recurse into documents: a request takes less than 8 KB, however deep it nests. Tests keep half of it unused.
STACK = 65536

# No path of this machine and no date gets into the module: the same sources make the same bytes.
FLAGS = --target=wasm32-wasi -std=gnu11 -flto $(FEATURES) -fvisibility=hidden -D_GNU_SOURCE \
	-DTK_PORTABLE_SHA256 -DPACKAGE_VERSION='"$(VERSION)"' -I$(TOP)/src/wasm/libc -I$(TOP)/include -I$(TOP)/src \
	-Iwasm/include -Wall -Wextra -Werror
LINK = --target=wasm32-wasi -flto -Wl,--lto-O2 -Wl,-O2 -Wl,-mllvm,-inline-threshold=-25 -Wl,--stack-first -Wl,-z,stack-size=$(STACK)
comma = ,
LINK_MODULE = $(LINK) -nostartfiles -Wl,--no-entry -Wl,--strip-all $(patsubst %,-Wl$(comma)--export=%,$(EXPORTS))

MODULE = turnkeeper.wasm
$(MODULE): $(OBJECTS) $(TOP)/src/wasm/module.mk
	@echo '  WASM    ' $@
	@$(WASM_CC) $(LINK_MODULE) $(OBJECTS) -o $@.tmp
	@mv $@.tmp $@

wasm/include:
	@mkdir -p $@
	@ln -sfn $(MSGPACK) $@/msgpack

wasm/%.o: $(TOP)/%.c $(TOP)/src/wasm/module.mk | wasm/include
	@mkdir -p $(@D)
	@$(WASM_CC) $(FLAGS) $(if $(filter $(FAST),$*.c),-O2,-Oz) -MMD -MP -c $< -o $@

wasm/tests/unit/%.wasm: wasm/tests/unit/%.o wasm/tests/unit/documents.o wasm/tests/unit/memory.o $(CORE)
	@echo '  WASM    ' $@
	@$(WASM_CC) $(LINK) $^ -o $@

.SECONDARY:

-include $(OBJECTS:.o=.d)
