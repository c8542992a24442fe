// SPDX-License-Identifier: Apache-2.0
/** Passes a stream through a filter, and reads from it only when the reader of the outcome asks for more. */

export interface Filter<In, Out> {
  /** Returns what may leave after this chunk. */
  take(chunk: In): Promise<readonly Out[]>;
  /** Returns what may leave at the end of the source. */
  end(): Promise<readonly Out[]>;
  /** True once nothing more will leave and the rest of the source is of no use. */
  readonly over: boolean;
  /** Gives up what the filter holds; called in any case, once or more often. */
  close(): void;
}

/** Returns the filtered stream. An error of the source, or of the filter, is an error of it; both are closed then. */
export function pulled<In, Out>(source: ReadableStream<In>, filter: Filter<In, Out>): ReadableStream<Out> {
  const reader = source.getReader();
  const leave = async (reason?: unknown): Promise<void> => {
    filter.close();
    await reader.cancel(reason).catch(() => undefined); // the source may have failed already
  };
  const pull = async (controller: ReadableStreamDefaultController<Out>): Promise<void> => {
    let count = 0;
    while (count === 0 && !filter.over) {
      const { done, value } = await reader.read();
      const released = done ? await filter.end() : await filter.take(value);
      for (const item of released) controller.enqueue(item);
      count = released.length;
      if (!done) continue;
      filter.close();
      return controller.close();
    }
    if (!filter.over) return;
    await leave();
    controller.close();
  };
  const guarded = async (controller: ReadableStreamDefaultController<Out>): Promise<void> => {
    try {
      await pull(controller);
    } catch (error) {
      await leave(error);
      throw error;
    }
  };
  return new ReadableStream<Out>({ pull: guarded, cancel: leave }, { highWaterMark: 0 });
}
