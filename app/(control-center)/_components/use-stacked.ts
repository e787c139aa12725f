'use client';

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * Whether a table has to be laid out as sheets, because it would be wider than its frame: then nothing of it is out of
 * sight. Measured before it is painted, and again whenever frame or table change.
 */
export function useStacked(frame: RefObject<HTMLElement | null>, minWidth: number): boolean {
  const [stacked, setStacked] = useState(false);
  const isStacked = useRef(stacked);
  const needed = useRef(minWidth);
  const measure = useCallback(() => {
    const box = frame.current;
    if (!box) return;
    // What the rows really need is known only while they are rows; it is kept, or the table would go to and fro.
    if (!isStacked.current && box.scrollWidth > box.clientWidth + 1) {
      needed.current = Math.max(needed.current, box.scrollWidth);
    }
    isStacked.current = box.clientWidth < needed.current;
    setStacked(isStacked.current);
  }, [frame]);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    const box = frame.current;
    if (box) observer.observe(box);
    if (box?.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [frame, measure]);
  return stacked;
}
