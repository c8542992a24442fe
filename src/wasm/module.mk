# SPDX-License-Identifier: Apache-2.0
#
# Makes turnkeeper.wasm. `make wasm` of the main Makefile calls this file in the build folder, because automake knows
# one compiler only. It gives
#
#   WASM_CC   a clang that links programs for wasm32-wasi
#   SOURCES   of the core, headers among them
#   TOP       the source tree
#   VERSION   of the release
#   MSGPACK   the folder of msgpack's headers; the core uses no more of that library

OWN = src/wasm/module.c src/wasm/no_files.c
OBJECTS = $(patsubst %.c,wasm/%.o,$(filter %.c,$(SOURCES)) $(OWN))
EXPORTS = tk_module_allocate tk_module_free tk_module_core_new tk_core_free tk_session_new tk_session_free \
	tk_module_call tk_reply_size tk_module_reply_pieces tk_module_reply_piece tk_module_reply_piece_size \
	tk_module_reply_error tk_reply_free tk_version

# Every engine since 2021 has these features.
FEATURES = -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint
STACK = 262144 # bytes

# No path of this machine and no date gets into the module: the same sources make the same bytes.
FLAGS = --target=wasm32-wasi -std=gnu11 -O2 $(FEATURES) -fvisibility=hidden -ffunction-sections -fdata-sections \
	-D_GNU_SOURCE -DTK_PORTABLE_SHA256 -DPACKAGE_VERSION='"$(VERSION)"' -I$(TOP)/include -I$(TOP)/src -Iwasm/include \
	-Wall -Wextra -Werror
LINK = --target=wasm32-wasi -nostartfiles -Wl,--no-entry -Wl,--strip-all -Wl,--gc-sections \
	-Wl,--stack-first -Wl,-z,stack-size=$(STACK) $(patsubst %,-Wl$(comma)--export=%,$(EXPORTS))
comma = ,

turnkeeper.wasm: $(OBJECTS) $(TOP)/src/wasm/module.mk
	@echo '  WASM    ' $@
	@$(WASM_CC) $(LINK) $(OBJECTS) -o $@.tmp
	@mv $@.tmp $@

wasm/include:
	@mkdir -p $@
	@ln -sfn $(MSGPACK) $@/msgpack

wasm/%.o: $(TOP)/%.c $(TOP)/src/wasm/module.mk | wasm/include
	@mkdir -p $(@D)
	@$(WASM_CC) $(FLAGS) -MMD -c $< -o $@

-include $(OBJECTS:.o=.d)
