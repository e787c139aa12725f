'use client';

import { useEffect, useState } from 'react';

/** Milliseconds between updates of the current-time line. */
const INTERVAL = 30_000;

/**
 * Returns the minutes since an instant, and updates them; null on the server, which does not render the current-time
 * line.
 */
export function useMinuteSince(instant: string): number | null {
  const [minute, setMinute] = useState<number | null>(null);
  useEffect(() => {
    const update = () => setMinute(Math.floor((Date.now() - Date.parse(instant)) / 60_000));
    update();
    const timer = setInterval(update, INTERVAL);
    return () => clearInterval(timer);
  }, [instant]);
  return minute;
}
