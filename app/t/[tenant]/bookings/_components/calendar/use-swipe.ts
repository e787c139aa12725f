'use client';

import { type PointerEvent, useRef } from 'react';

/** Minimum horizontal distance of a swipe in pixels. */
const MIN_DISTANCE = 50;
/** Maximum duration of a swipe in milliseconds. */
const MAX_DURATION = 800;

type Point = { x: number; y: number; time: number };

/**
 * Returns the column to which a swipe leads. Returns null if the movement is too vertical, too short, or too slow to be
 * a swipe.
 */
export function swipeOf(from: Point, to: Point): 'next' | 'previous' | null {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.abs(x) < MIN_DISTANCE || Math.abs(x) < 2 * Math.abs(y) || to.time - from.time > MAX_DURATION) return null;
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
