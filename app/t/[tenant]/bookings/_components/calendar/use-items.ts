'use client';

import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useState } from 'react';
import { type Item, itemAfter } from './items';

/**
 * Returns the current width, in pixels, of the column with the attribute `data-narrow`. A narrow screen shows only this
 * column. A wide screen shows it beside other columns. Returns 0 before the first measurement.
 */
export function useColumnWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const column = frame.current?.querySelector('[data-column][data-narrow]');
      if (column) setWidth(Math.floor(column.getBoundingClientRect().width));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}

/**
 * Returns the link that is the tab stop of the calendar, and the handlers that move the focus with the arrow keys.
 * @param columns The links of each visible column, from left to right.
 */
export function useItems(columns: readonly (readonly Item[])[]) {
  const [focused, setFocused] = useState<string | null>(null);
  const all = columns.flat();
  const stop = all.find(({ id }) => id === focused) ?? all[0] ?? null;
  const onFocus = ({ target }: FocusEvent) => {
    const id = idOf(target);
    if (id !== null) setFocused(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const id = idOf(target);
    if (id === null || altKey || ctrlKey || metaKey || shiftKey) return;
    const next = itemAfter(columns, id, key);
    if (!next) return;
    event.preventDefault();
    currentTarget.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.id)}"]`)?.focus();
  };
  return { stop: stop?.id ?? null, onFocus, onKeyDown };
}

function idOf(target: EventTarget): string | null {
  return target instanceof Element ? target.getAttribute('data-item') : null;
}
