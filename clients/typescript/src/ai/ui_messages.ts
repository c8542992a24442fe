// SPDX-License-Identifier: Apache-2.0
/**
 * Mends stored messages of the AI SDK's user interface (`UIMessage`), before `convertToModelMessages`.
 *
 * A tool part goes through states until it has an output, an error or a denial. Where the program stopped before, for
 * example because the user closed the page, the part is stored without any of them. It becomes a call without a
 * result, which providers refuse. Such a part is given the state `output-error`.
 */

/** The members of a part that are read; every other member is kept. */
export interface UIPart {
  readonly type: string;
  readonly state?: string;
  readonly providerExecuted?: boolean;
}

/** The members of a message that are read; every other member is kept. */
export interface UIMessageLike {
  readonly role: string;
  readonly parts: readonly UIPart[];
}

export interface MendOptions {
  /** The text of the error that a part without an end gets; the model reads it. */
  readonly errorText?: string;
}

const UNFINISHED = new Set(["input-streaming", "input-available", "approval-requested", "approval-responded"]);
const APPROVALS = new Set(["approval-requested", "approval-responded"]);
const NOT_EXECUTED = "Not executed.";

function isTool(part: UIPart): boolean {
  return part.type.startsWith("tool-") || part.type === "dynamic-tool";
}

/**
 * Says whether a part still may get its end. In the last message an approval is asked for or about to be carried out,
 * and a call that the provider runs may be one of a turn that it paused.
 */
function isOpen(part: UIPart, last: boolean): boolean {
  return last && (APPROVALS.has(part.state ?? "") || (part.state === "input-available" && part.providerExecuted === true));
}

function ended(part: UIPart, errorText: string): UIPart {
  const { approval: _approval, preliminary: _preliminary, ...rest } = part as UIPart & Record<string, unknown>;
  // An input that was cut off may be absent; providers ask for an object.
  const { input } = rest as { input?: unknown };
  return { ...rest, input: input ?? {}, state: "output-error", errorText } as unknown as UIPart;
}

/**
 * Returns the messages with an end for each tool part that has none, and has nobody left to bring it one. What needs
 * no edit is the same object as in the argument, which isn't changed.
 */
export function mendUIMessages<M extends UIMessageLike>(messages: readonly M[], options: MendOptions = {}): M[] {
  const errorText = options.errorText ?? NOT_EXECUTED;
  return messages.map((message, index) => {
    if (message.role !== "assistant") return message;
    const last = index === messages.length - 1;
    const isLeft = (part: UIPart): boolean => isTool(part) && UNFINISHED.has(part.state ?? "") && !isOpen(part, last);
    if (!message.parts.some(isLeft)) return message;
    return { ...message, parts: message.parts.map((part) => (isLeft(part) ? ended(part, errorText) : part)) };
  });
}
