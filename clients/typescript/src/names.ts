// SPDX-License-Identifier: Apache-2.0
/** Names that a program misspelt, told together with the nearest one that is known. */

/** Returns how many characters have to be changed, added, taken away or swapped with their neighbour. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const differs = from[i - 1] === to[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const least = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + differs);
      row.push(swapped ? Math.min(least, (before[j - 2] as number) + 1) : least);
    }
    before = last;
    last = row;
  }
  return last[to.length] as number;
}

/** Returns the known name that a word is most likely meant to be; undefined if it is near to none. */
function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 64) return undefined;
  const from = word.toLowerCase();
  const found = known.map((name) => ({ name, far: distance(from, name.toLowerCase()) })).sort((a, b) => a.far - b.far)[0];
  return found && found.far <= Math.max(1, Math.floor(from.length / 3)) ? found.name : undefined;
}

/** Throws a RangeError, in words, for what is none of the known names. */
export function checkWord(what: string, word: unknown, known: readonly string[]): void {
  if (known.includes(word as string)) return;
  const meant = typeof word === "string" ? nearest(word, known) : undefined;
  const hint = meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  throw new RangeError(`${what}: ${JSON.stringify(word)} is none of ${known.join(", ")}${hint}`);
}

/** Throws a RangeError, in words, for a member of an object that has none of the known names. */
export function checkNames(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) checkWord(what, name, known);
}
