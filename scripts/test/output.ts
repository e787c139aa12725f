/** The output of one group. Several groups run in parallel. */
export type Output = { write: (text: string) => void; end: () => void };

/**
 * Returns one output per group. Prints the text as if the groups ran in sequence. The output of the first unfinished
 * group is printed immediately. The output of later groups is buffered until all earlier groups have ended.
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
