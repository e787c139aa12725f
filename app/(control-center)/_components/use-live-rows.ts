'use client';

import { useMediaQuery } from '@mantine/hooks';
import { type FocusEvent, useEffect, useState } from 'react';

type Held<Row> = { of: string; rows: Row[] };

type Live<Row> = {
  /** Names the question that the rows answer: those of another one are never held. */
  of: string;
  live: boolean;
  idOf: (row: Row) => string;
};

/**
 * The rows of live mode. While somebody points at the list or has the focus in it, it stays as it is and what came in
 * is counted; `show` brings it in. Fingers do not hover, so there the list never moves by itself. What a row says is
 * always the newest.
 */
export function useLiveRows<Row>(latest: Row[], { of, live, idOf }: Live<Row>) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [held, setHeld] = useState<Held<Row> | null>(null);
  const touch = useMediaQuery('(hover: none)', false, { getInitialValueInEffect: true });
  const hold = live && (hovered || focused || touch === true);
  const isHeld = hold && held?.of === of;

  // What is on the screen when the list begins to be held is what stays there.
  useEffect(() => {
    if (!hold) setHeld(null);
    else if (held?.of !== of && latest.length > 0) setHeld({ of, rows: latest });
  }, [hold, held, of, latest]);

  const now = new Map(isHeld ? latest.map((row) => [idOf(row), row]) : []);
  const rows = isHeld ? held.rows.map((row) => now.get(idOf(row)) ?? row) : latest;
  const known = isHeld ? new Set(held.rows.map(idOf)) : null;
  return {
    rows,
    waiting: known ? latest.filter((row) => !known.has(idOf(row))).length : 0,
    show: () => setHeld(hold ? { of, rows: latest } : null),
    areaProps: {
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
}
