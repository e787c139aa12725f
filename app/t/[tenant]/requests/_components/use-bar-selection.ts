'use client';

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react';

type Range = { anchor: number; active: number };

const bounds = ({ anchor, active }: Range) => [Math.min(anchor, active), Math.max(anchor, active)] as const;

/**
 * Returns the state and the event handlers for selecting one bar or a range of bars. The user selects bars by clicking
 * or dragging, or with the arrow keys, Shift, and Enter. All bars share one tab stop. `zoom` receives the indexes of
 * the first and the last selected bar.
 */
export function useBarSelection(count: number, zoom: (first: number, last: number) => void) {
  const [range, setRange] = useState<Range | null>(null);
  const [dragging, setDragging] = useState(false);
  const current = range && range.active < count ? range : null;

  const finish = (chosen: Range) => {
    setRange(null);
    setDragging(false);
    zoom(...bounds(chosen));
  };
  const onKeyDown = (index: number) => (event: KeyboardEvent<HTMLAnchorElement>) => {
    const active = targetOf(event.key, index, count);
    if (active === null) return;
    event.preventDefault();
    setRange({ anchor: event.shiftKey ? (current?.anchor ?? index) : active, active });
    const next = event.currentTarget.parentElement?.children[active];
    if (next instanceof HTMLElement) next.focus();
  };
  return {
    isSelected: (index: number) => current !== null && isIn(current, index),
    barProps: (index: number) => ({
      tabIndex: index === (current?.active ?? 0) ? 0 : -1,
      draggable: false,
      onKeyDown: onKeyDown(index),
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0 || opensNewTab(event)) return;
        setRange({ anchor: index, active: index });
        setDragging(true);
      },
      onPointerEnter: () => {
        if (dragging && current) setRange({ ...current, active: index });
      },
      onClick: (event: MouseEvent) => {
        if (opensNewTab(event)) return;
        event.preventDefault();
        finish(current ?? { anchor: index, active: index });
      },
    }),
    areaProps: {
      // A drag from one bar to another fires no click event, so this handler completes the selection.
      onPointerUp: () => {
        if (dragging && current && current.anchor !== current.active) finish(current);
        else setDragging(false);
      },
      onPointerLeave: () => setDragging(false),
    },
  };
}

/**
 * Returns whether a bar is in a range of at least two bars. A range of one bar is no selection, because an arrow key
 * without Shift, which only moves the focus, also creates one.
 */
function isIn(range: Range, index: number): boolean {
  const [first, last] = bounds(range);
  return first !== last && index >= first && index <= last;
}

/** Returns the index of the bar that a navigation key moves to; null for other keys. */
function targetOf(key: string, index: number, count: number): number | null {
  const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[key];
  return target === undefined ? null : Math.min(count - 1, Math.max(0, target));
}

/** Returns whether the click opens a new tab or window. */
function opensNewTab(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey;
}
