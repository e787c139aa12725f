/** A part of the time axis, in minutes. */
type Span = { start_minute: number; end_minute: number };

/**
 * A shaded part of a column: `closed` outside opening hours, `off` within opening hours when none of the column's
 * specialists is working.
 */
export type Shade = { kind: 'closed' | 'off'; from: number; to: number };

type Axis = { from_minute: number; to_minute: number };

/**
 * Returns the shaded parts of a column, in chronological order. The spans in `opening` must not overlap. The spans in
 * `working` can overlap, because a column can show several specialists.
 */
export function shadesOf(
  { from_minute, to_minute }: Axis,
  opening: readonly Span[],
  working: readonly Span[],
): Shade[] {
  const axis = { start_minute: from_minute, end_minute: to_minute };
  const closed = without([axis], opening).map(({ start_minute: from, end_minute: to }) => ({ from, to }));
  const off = without(opening, working).map(({ start_minute: from, end_minute: to }) => ({ from, to }));
  const shades: Shade[] = [
    ...closed.map((span) => ({ kind: 'closed' as const, ...span })),
    ...off.map((span) => ({ kind: 'off' as const, ...span })),
  ];
  return shades.sort((a, b) => a.from - b.from);
}

/** Returns the parts of `whole` that are in none of the spans in `removed`. */
function without(whole: readonly Span[], removed: readonly Span[]): Span[] {
  let rest = [...whole];
  for (const hole of removed) {
    rest = rest.flatMap((span) => {
      if (hole.end_minute <= span.start_minute || hole.start_minute >= span.end_minute) return [span];
      return [
        { start_minute: span.start_minute, end_minute: hole.start_minute },
        { start_minute: hole.end_minute, end_minute: span.end_minute },
      ].filter(({ start_minute, end_minute }) => start_minute < end_minute);
    });
  }
  return rest;
}
