// SPDX-License-Identifier: Apache-2.0
/**
 * The AI SDK's types as far as the middleware reads them, so that the package needs no dependency. They fit
 * `LanguageModelV3Middleware` of `ai` 6 and its successors: whatever isn't named here is passed on.
 */

/** A message of a prompt. */
export interface Message {
  readonly role: string;
  readonly content: string | readonly Part[];
}

/** A part of a message. */
export interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly providerExecuted?: boolean;
}

/** A part of a stream. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly providerExecuted?: boolean;
  readonly preliminary?: boolean;
  readonly finishReason?: unknown;
}

/** The model that is wrapped. */
export interface Model {
  readonly provider: string;
  readonly modelId: string;
}
