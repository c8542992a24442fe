// SPDX-License-Identifier: Apache-2.0
//
// Repairs what @aws-sdk/client-bedrock-runtime sends to Converse and ConverseStream, before it is signed:
//
//   import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
//   import { Turnkeeper } from "turnkeeper";
//
//   const client = guard(new BedrockRuntimeClient(), await Turnkeeper.load());
//
// The SDK takes no `fetch`, and a signature binds the body. A middleware of the step "build" has the body before it is
// signed, and is outside of what tries again.

const CONVERSE = /\/model\/([^/]+)\/converse(?:-stream)?$/;

/** Returns what the SDK would throw if Bedrock had refused the request. */
function refused(unsafe) {
  const [first] = unsafe.violations;
  const error = new Error(first.providerError ?? first.text, { cause: unsafe });
  return Object.assign(error, {
    name: "ValidationException",
    $fault: "client",
    $metadata: { httpStatusCode: 400, attempts: 0 },
    turnkeeper: unsafe.data,
  });
}

/** Adds the middleware to a client, which it returns. What the keeper throws besides is thrown. */
export function guard(client, keeper) {
  const repaired = async (body, model) => {
    try {
      return (await keeper.repairBody(body, { provider: "bedrock", target: { model } })).body;
    } catch (error) {
      throw error.name === "unsafe_history" ? refused(error) : error;
    }
  };
  const middleware = (next) => async (args) => {
    const { request } = args;
    const found = CONVERSE.exec(request.path ?? "");
    if (found) {
      request.body = await repaired(request.body, decodeURIComponent(found[1]));
      if ("content-length" in request.headers) request.headers["content-length"] = String(Buffer.byteLength(request.body));
    }
    return next(args);
  };
  client.middlewareStack.add(middleware, { step: "build", name: "turnkeeper" });
  return client;
}
