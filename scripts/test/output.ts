export type Output = { write: (text: string) => void; end: () => void };

/**
 * Returns one output for each group of tests. The groups run in parallel, but their texts are printed one after
 * another. The text of the first unfinished group is printed immediately. The text of a later group is kept until all
 * earlier groups have ended.
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
