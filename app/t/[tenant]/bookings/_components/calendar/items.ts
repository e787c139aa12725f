'use client';

import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useState } from 'react';
import type { Layout } from './lanes';
import { nearest, type Place } from './place';

/**
 * A link in the calendar. It leads to a booking. If bookings are hidden, one link in their place leads to the schedule
 * of their day. All links together are one tab stop. The arrow keys move the focus between them.
 */
export type Item = Place & { id: string };

/**
 * Returns the ID of the link to a booking. The ID contains the column, because a booking that lasts past midnight can
 * have a link in the columns of both days.
 */
export function bookingItem(column: string, reference: string): string {
  return `${column} ${reference}`;
}

/** Returns the ID of the link that replaces hidden bookings. The first of these bookings starts at `minute`. */
export function moreItem(column: string, minute: number): string {
  return `${column} more ${minute}`;
}

/** Returns a column's links to bookings, and its links that replace hidden bookings, in chronological order. */
export function itemsOf(column: string, { shown, more }: Layout): Item[] {
  const bookings = shown.flatMap(({ block: { start_minute: minute, bookings: grouped } }) =>
    grouped.map(({ reference }) => ({ id: bookingItem(column, reference), column, minute })),
  );
  const links = more.map(({ start_minute: minute }) => ({ id: moreItem(column, minute), column, minute }));
  return [...bookings, ...links].sort((a, b) => a.minute - b.minute);
}

/**
 * Returns the link to which a key moves the focus. The up and down arrows, Home, and End stay in the column. The left
 * and right arrows move to the next column that has links, and select the link whose time is nearest. Returns null if
 * there is no such link, or if the key does not move the focus.
 * @param columns The links of each column, from left to right.
 */
export function itemAfter(columns: readonly (readonly Item[])[], current: string, key: string): Item | null {
  const index = columns.findIndex((items) => items.some(({ id }) => id === current));
  const items = columns[index] ?? [];
  const at = items.findIndex(({ id }) => id === current);
  const item = items[at];
  if (!item) return null;
  const across = (others: readonly (readonly Item[])[]) =>
    nearest(others.find(({ length }) => length > 0) ?? [], item.minute);
  switch (key) {
    case 'ArrowUp':
      return items[at - 1] ?? null;
    case 'ArrowDown':
      return items[at + 1] ?? null;
    case 'ArrowLeft':
      return across(columns.slice(0, index).reverse());
    case 'ArrowRight':
      return across(columns.slice(index + 1));
    case 'Home':
      return items[0] ?? null;
    case 'End':
      return items.at(-1) ?? null;
    default:
      return null;
  }
}

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
