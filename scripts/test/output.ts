export type Output = { write: (text: string) => void; end: () => void };

/** Groups run in parallel, but their texts are printed one after another: that of the first unfinished group immediately. */
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
