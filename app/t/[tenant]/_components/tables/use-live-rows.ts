'use client';

import { useMediaQuery } from '@mantine/hooks';
import { type FocusEvent, useEffect, useState } from 'react';

type Held<Row> = { of: string; rows: Row[] };

type Live<Row> = {
  /** Identifies the query that returned the rows. When this value changes, the list shows the new query's rows. */
  of: string;
  live: boolean;
  idOf: (row: Row) => string;
};

/**
 * Keeps new rows out of a live list while the user hovers over the list or while an element in it has the focus.
 * `waiting` is the number of new rows that are kept out, and `show` inserts them. On a touch screen, hovering cannot be
 * detected, so new rows are always kept out until `show` is called. The contents of the visible rows stay up to date.
 */
export function useLiveRows<Row>(latest: Row[], { of, live, idOf }: Live<Row>) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [held, setHeld] = useState<Held<Row> | null>(null);
  const touch = useMediaQuery('(hover: none)', false, { getInitialValueInEffect: true });
  const hold = live && (hovered || focused || touch === true);
  const isHeld = hold && held?.of === of;

  // Stores the rows that are visible when the user starts to hover over the list or focuses it.
  useEffect(() => {
    if (!hold) setHeld(null);
    else if (held?.of !== of && latest.length > 0) setHeld({ of, rows: latest });
  }, [hold, held, of, latest]);

  const newest = new Map(isHeld ? latest.map((row) => [idOf(row), row]) : []);
  const rows = isHeld ? held.rows.map((row) => newest.get(idOf(row)) ?? row) : latest;
  const shown = isHeld ? new Set(held.rows.map(idOf)) : null;
  return {
    rows,
    waiting: shown ? latest.filter((row) => !shown.has(idOf(row))).length : 0,
    show: () => setHeld(hold ? { of, rows: latest } : null),
    areaProps: {
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
}
