export type Output = { write: (text: string) => void; end: () => void };

/**
 * Returns one output for each group. The groups run in parallel, but are printed one after another: the output of
 * the first unfinished group is printed immediately, and the output of a later group only after all earlier groups
 * have ended.
 */
export function orderedOutputs(count: number, print: (text: string) => void): Output[] {
  const held: string[] = Array.from({ length: count }, () => '');
  const ended = new Set<number>();
  let current = 0;
  return held.map((_, index) => ({
    write: (text) => {
      if (index === current) print(text);
      else held[index] += text;
    },
    end: () => {
      ended.add(index);
      while (ended.has(current)) {
        current += 1;
        const text = held[current];
        if (text) print(text);
      }
    },
  }));
}
