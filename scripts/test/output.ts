/** Where one of several groups that run side by side writes. */
export type Output = { write: (text: string) => void; end: () => void };

/**
 * Returns one output per group. What the groups write at the same time is printed as if they had run in order: the
 * first one that has not ended prints at once, the later ones when their turn comes.
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
