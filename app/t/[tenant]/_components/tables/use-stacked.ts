'use client';

import { createContext, type RefObject, useCallback, useContext, useLayoutEffect, useRef, useState } from 'react';

const OnPhone = createContext(false);

/** Provides a flag that states whether the reader uses a phone, according to the request headers. */
export const OnPhoneProvider = OnPhone.Provider;

/** States whether the table around a cell is stacked. */
export const IsStacked = createContext(false);

/**
 * Returns whether a table must be stacked (each row shown as a card), because the table is wider than its frame.
 * Measures the table after hydration and whenever the size of the table or its frame changes. On phones, a table is
 * stacked even before the first measurement. Almost all tables are wider than a phone, so the layout rarely shifts.
 */
export function useStacked(frame: RefObject<HTMLElement | null>, minWidth: number): boolean {
  const [stacked, setStacked] = useState(useContext(OnPhone));
  const isStacked = useRef(stacked);
  const needed = useRef(minWidth);
  const measure = useCallback(() => {
    const box = frame.current;
    if (!box) return;
    // A stacked table always fits, so the width that the table needs can be measured only while it is not stacked. This
    // code stores the width. Otherwise, a stacked table would be unstacked at once, then stacked again.
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
    // Before its fonts are loaded, a table may need more width. If it is still too wide, the observer stacks it again.
    const measureAgain = () => {
      needed.current = minWidth;
      measure();
    };
    document.fonts?.addEventListener('loadingdone', measureAgain);
    return () => {
      observer.disconnect();
      document.fonts?.removeEventListener('loadingdone', measureAgain);
    };
  }, [frame, measure, minWidth]);
  return stacked;
}
