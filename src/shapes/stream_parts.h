/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of the form `parts`, in which a stream leaves by default (STREAM.md 8.1): types of its
 * outputs, and the members that only they have.
 */
#ifndef TK_SHAPES_STREAM_PARTS_H
#define TK_SHAPES_STREAM_PARTS_H

/* ---- types ---- */

#define TK_PARTS_TEXT_START       "text_start"
#define TK_PARTS_TEXT_DELTA       "text_delta"
#define TK_PARTS_TEXT_END         "text_end"
#define TK_PARTS_CITATION         "citation"
#define TK_PARTS_REASONING_START  "reasoning_start"
#define TK_PARTS_REASONING_DELTA  "reasoning_delta"
#define TK_PARTS_REASONING_END    "reasoning_end"
#define TK_PARTS_TOOL_INPUT_START "tool_input_start"
#define TK_PARTS_TOOL_INPUT_DELTA "tool_input_delta"
#define TK_PARTS_TOOL_INPUT_END   "tool_input_end"
#define TK_PARTS_TOOL_CALL        "tool_call"
#define TK_PARTS_SOURCE           "source"
#define TK_PARTS_TOOL_RESULT      "tool_result"
#define TK_PARTS_OPAQUE_BLOCK     "opaque_block"
#define TK_PARTS_AUDIO_DELTA      "audio_delta"

/* ---- members ---- */

#define TK_PARTS_WIRE_INDEX        "wire_index" /* index of the block that the output comes from */
#define TK_PARTS_DELTA             "delta"
#define TK_PARTS_CHOICE            "choice"  /* index of the answer, where there are several */
#define TK_PARTS_REFUSAL           "refusal" /* true: the text is a refusal */
#define TK_PARTS_AUDIO             "audio"
#define TK_PARTS_ITEM_ID           "item_id"
#define TK_PARTS_SUMMARY_INDEX     "summary_index"
#define TK_PARTS_CONTENT_INDEX     "content_index"
#define TK_PARTS_ENCRYPTED_CONTENT "encrypted_content"
#define TK_PARTS_JSON_PATH         "json_path"
#define TK_PARTS_SIGNATURE         "signature"
#define TK_PARTS_REDACTED_DATA     "redacted_data"
#define TK_PARTS_PROVIDER_EXECUTED "provider_executed"
#define TK_PARTS_INPUT             "input"
#define TK_PARTS_INPUT_RAW         "input_raw"   /* of an invalid input: its text */
#define TK_PARTS_INPUT_VALID       "input_valid" /* false; absent for a valid one */
#define TK_PARTS_CONTENT           "content"
#define TK_PARTS_RESULT_TYPE       "result_type"
#define TK_PARTS_IS_ERROR          "is_error"
#define TK_PARTS_ERROR_CODE        "error_code"
#define TK_PARTS_SOURCE_TYPE       "source_type"
#define TK_PARTS_TOOL_CALL_ID      "tool_call_id"
#define TK_PARTS_BLOCK             "block"

#endif
