'use client';

import { useEffect, useState } from 'react';

const INTERVAL_MS = 30_000;

/** Returns the current time in epoch milliseconds, and keeps it up to date. Returns null on the server. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const update = () => setNow(Date.now());
    update();
    const timer = setInterval(update, INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Returns null on the server and on the first render in the browser. */
export function useMinuteSince(instant: string): number | null {
  const now = useNow();
  return now === null ? null : Math.floor((now - Date.parse(instant)) / 60_000);
}
