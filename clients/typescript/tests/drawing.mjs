// SPDX-License-Identifier: Apache-2.0
/** Draws values from a seed, so that a failing draw can be drawn again. */

const WORDS = ["", "a", "stream", "messages", '"', "\\", '\\"', "}{", "][", ",:", "é\u2028", "\u0000", "𝄞"];

/** Returns functions that draw: numbers in [0, n), members of a list, JSON values. */
export function drawing(seed) {
  let state = seed >>> 0;
  // mulberry32: 32 bits of state are enough for tests.
  const real = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(real() * count);
  const of = (list) => list[below(list.length)];
  const text = () => Array.from({ length: below(4) }, () => of(WORDS)).join("");
  const list = (depth) => Array.from({ length: below(4) }, () => value(depth - 1));
  const object = (depth) => Object.fromEntries(list(depth).map((item) => [text(), item]));
  const value = (depth) => {
    const kinds = [text, () => below(1000) - 500, () => real(), () => of([true, false, null])];
    return depth > 0 ? of([...kinds, () => list(depth), () => object(depth)])() : of(kinds)();
  };
  return { below, of, chance: (share) => real() < share, text, object, value };
}
