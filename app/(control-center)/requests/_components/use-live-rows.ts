'use client';

import { useMediaQuery } from '@mantine/hooks';
import { type FocusEvent, useEffect, useState } from 'react';
import type { RequestRow } from './types';

type Held = { of: string; rows: RequestRow[] };

/**
 * The rows of live mode. While somebody points at the list or has the focus in it, it stays as it is and what came in
 * is counted; `show` brings it in. Fingers do not hover, so there the list never moves by itself.
 * @param of names the question that `latest` answers: rows of another one are never held
 */
export function useLiveRows(latest: RequestRow[], of: string, live: boolean) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [held, setHeld] = useState<Held | null>(null);
  const touch = useMediaQuery('(hover: none)', false, { getInitialValueInEffect: true });
  const hold = live && (hovered || focused || touch === true);
  const isHeld = hold && held?.of === of;

  // What is on the screen when the list begins to be held is what stays there.
  useEffect(() => {
    if (!hold) setHeld(null);
    else if (held?.of !== of && latest.length > 0) setHeld({ of, rows: latest });
  }, [hold, held, of, latest]);

  const rows = isHeld ? held.rows : latest;
  const known = isHeld ? new Set(held.rows.map((row) => row.request_id)) : null;
  return {
    rows,
    waiting: known ? latest.filter((row) => !known.has(row.request_id)).length : 0,
    show: () => setHeld(hold ? { of, rows: latest } : null),
    areaProps: {
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
}
