'use client';

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * Returns whether a table must be stacked because it is wider than its frame. Measures the table before the first
 * paint, and again whenever the table or its frame changes size.
 */
export function useStacked(frame: RefObject<HTMLElement | null>, minWidth: number): boolean {
  const [stacked, setStacked] = useState(false);
  const isStacked = useRef(stacked);
  const needed = useRef(minWidth);
  const measure = useCallback(() => {
    const box = frame.current;
    if (!box) return;
    // The width that the table needs can be measured only while the table is not stacked, so this width is stored.
    // Otherwise, the table would alternate between the stacked and the normal layout.
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
