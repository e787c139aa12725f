'use client';

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * Returns whether a table must be stacked because it is wider than its frame. Measured before paint, and again whenever
 * the frame or the table changes size.
 */
export function useStacked(frame: RefObject<HTMLElement | null>, minWidth: number): boolean {
  const [stacked, setStacked] = useState(false);
  const isStacked = useRef(stacked);
  const needed = useRef(minWidth);
  const measure = useCallback(() => {
    const box = frame.current;
    if (!box) return;
    // The needed width can be measured only while not stacked. Keep it, or the layout would flip back and forth.
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
