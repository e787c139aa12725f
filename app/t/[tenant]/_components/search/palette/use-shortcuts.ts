'use client';

import { useEffect, useRef } from 'react';
import type { Role } from '../../roles';
import { type Action, PAUSE, readPress } from './shortcuts';

/** Elements in which the user types text or chooses an option with the keyboard. */
const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"]';

/** Calls `act` for each shortcut. Ignores shortcuts while a dialog is open or the focus is in a `TYPING` element. */
export function useShortcuts(role: Role, act: (action: Action) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (event.defaultPrevented || isTyping || document.querySelector('[role="dialog"]')) return;
      const { action, startsPair } = readPress(event, event.timeStamp - pressedG < PAUSE, role);
      pressedG = startsPair ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!action) return;
      event.preventDefault();
      latest.current(action);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [role]);
}
