import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import type { Axis, Blocked, Column } from './columns';
import { HOUR, type Place, placeAt } from './place';

/** Distance in pixels after which a press becomes a drag. */
const THRESHOLD = 6;

/** If the pointer is within `EDGE` pixels of the frame's edge, the frame scrolls by `SPEED` pixels per animation frame. */
const EDGE = 36;
const SPEED = 8;

type Handlers = {
  onStart: () => void;
  /** Called once per animation frame during the drag. */
  onMove: (place: Place) => void;
  /** Called with the place at the end of the drag; null if there are no columns. */
  onDrop: (place: Place | null) => void;
  onCancel: () => void;
};

type Press = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY'>;

/**
 * Starts following a pointer that is pressed on a block. Escape cancels the drag. Returns a function that stops
 * following the pointer.
 * @param frame The scrolling element that contains the columns.
 */
export function followPointer(press: Press, block: Element, frame: Element, axis: Axis, on: Handlers): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const grab = press.clientY - block.getBoundingClientRect().top;
  let [x, y] = [press.clientX, press.clientY];
  let request = 0;
  const stop = () => {
    cancelAnimationFrame(request);
    listeners.abort();
  };
  const render = () => {
    scrollAtEdge(frame, x, y);
    const place = placeAt(x, y - grab, rectsOf(frame), axis);
    if (place) on.onMove(place);
    request = requestAnimationFrame(render);
  };
  const isFollowed = ({ pointerId }: Press) => pointerId === press.pointerId;
  const onPointerMove = (event: Press) => {
    if (!isFollowed(event)) return;
    [x, y] = [event.clientX, event.clientY];
    if (request !== 0 || Math.hypot(x - press.clientX, y - press.clientY) < THRESHOLD) return;
    window.getSelection()?.removeAllRanges();
    on.onStart();
    render();
  };
  const end = (finish: () => void) => {
    const hasStarted = request !== 0;
    stop();
    if (!hasStarted) return;
    ignoreClick();
    finish();
  };
  // The pointer may have moved since the last animation frame.
  const drop = () => on.onDrop(placeAt(x, y - grab, rectsOf(frame), axis));
  window.addEventListener('pointermove', onPointerMove, { signal });
  window.addEventListener('pointerup', (event) => isFollowed(event) && end(drop), { signal });
  window.addEventListener('pointercancel', (event) => isFollowed(event) && end(on.onCancel), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(on.onCancel), { signal });
  return stop;
}

/** Ignores the click that the browser reports at the end of a drag. This click would open the booking. */
function ignoreClick(): void {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', ignore, { capture: true });
  setTimeout(() => window.removeEventListener('click', ignore, { capture: true }));
}

function rectsOf(frame: Element) {
  return [...frame.querySelectorAll('[data-column]')].flatMap((element) => {
    const { left, right, top, width } = element.getBoundingClientRect();
    // Hidden columns have no width. On a narrow screen, all columns but one are hidden.
    return width > 0 ? [{ column: element.getAttribute('data-column') ?? '', left, right, top }] : [];
  });
}

function scrollAtEdge(frame: Element, x: number, y: number): void {
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  const along = (at: number, start: number, end: number) => (at < start + EDGE ? -SPEED : at > end - EDGE ? SPEED : 0);
  frame.scrollBy(along(x, left, right), along(y, top, bottom));
}

const MIN_SWIPE_PX = 50;
const MAX_SWIPE_MS = 800;

type Point = { x: number; y: number; time: number };

/** Returns null if the movement is too vertical, too short, or too slow to be a swipe. */
export function swipeOf(from: Point, to: Point): 'next' | 'previous' | null {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.abs(x) < MIN_SWIPE_PX || Math.abs(x) < 2 * Math.abs(y) || to.time - from.time > MAX_SWIPE_MS) return null;
  return x < 0 ? 'next' : 'previous';
}

/**
 * Returns the handlers that detect a swipe with a finger. Scrolling is not a swipe: when the browser begins to scroll,
 * it cancels the pointer, and `onPointerCancel` discards the start of the swipe.
 */
export function useSwipe(onSwipe: (direction: 'next' | 'previous') => void) {
  const start = useRef<Point | null>(null);
  const pointOf = ({ clientX: x, clientY: y, timeStamp: time }: PointerEvent): Point => ({ x, y, time });
  const forget = () => {
    start.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.pointerType === 'touch' && event.isPrimary ? pointOf(event) : null;
    },
    onPointerUp: (event: PointerEvent) => {
      const direction = start.current && swipeOf(start.current, pointOf(event));
      forget();
      if (direction) onSwipe(direction);
    },
    onPointerCancel: forget,
  };
}

/** The selected time of a column, in minutes on the time axis. */
export type Selection = { column: string; from: number; to: number };

/** Opens the form for a block: an existing one, a new one at a selected time, or, for null, a new one. */
export type BlockOpener = (
  target: { block: Blocked['block']; column: Column } | { selection: Selection; column: Column } | null,
) => void;

/** Opens the page that makes a booking in a column, at a minute on the time axis. */
export type BookOpener = (column: Column, minute: number) => void;

const STEP = 15;

/**
 * Returns the time over which a mouse is being dragged, the function that starts to select it, and the function for a
 * click or a tap. Selected time is blocked; it is booked if the member may not block it, or only clicked. Escape cancels.
 * A finger that is dragged scrolls instead.
 */
export function useSelection({ from_minute, to_minute }: Axis, block: BlockOpener | null, book: BookOpener | null) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const latest = useRef<Selection>(null);
  // The browser also sends a click at the end of a drag.
  const isDragged = useRef(false);
  const set = (next: Selection | null) => {
    if (next) isDragged.current = true;
    latest.current = next;
    setSelection(next);
  };
  const minuteIn = (element: Element) => {
    const { top } = element.getBoundingClientRect();
    return (y: number) => Math.min(Math.max(from_minute + ((y - top) / HOUR) * 60, from_minute), to_minute);
  };
  const startOf = (minute: number) => Math.min(Math.floor(minute / STEP) * STEP, to_minute - STEP);
  const click = ({ currentTarget, clientY }: MouseEvent, column: Column) => {
    if (!isDragged.current) book?.(column, startOf(minuteIn(currentTarget)(clientY)));
    isDragged.current = false;
  };
  const select = (press: PointerEvent, column: Column) => {
    if (press.pointerType !== 'mouse' || press.button !== 0) return;
    press.preventDefault();
    isDragged.current = false;
    const minuteAt = minuteIn(press.currentTarget);
    const start = minuteAt(press.clientY);
    const listeners = new AbortController();
    const { signal } = listeners;
    const end = (selected: Selection | null) => {
      listeners.abort();
      set(null);
      if (!selected) return;
      if (block) block({ selection: selected, column });
      else book?.(column, startOf(selected.from));
    };
    window.addEventListener(
      'pointermove',
      ({ clientY }) => {
        const now = minuteAt(clientY);
        const from = Math.floor(Math.min(start, now) / STEP) * STEP;
        const to = Math.ceil(Math.max(start, now) / STEP) * STEP;
        if (Math.abs(now - start) >= STEP / 3) set({ column: column.key, from, to });
      },
      { signal },
    );
    window.addEventListener('pointerup', () => end(latest.current), { signal });
    window.addEventListener('pointercancel', () => end(null), { signal });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(null), { signal });
  };
  return { selection, select, click };
}
