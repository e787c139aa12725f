'use client';

import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import styles from './ago.module.css';
import { WHOLE_TIME } from './moments';
import { spanText } from './span';
import { Time, utcText } from './time';

const MINUTE = 60_000;
const TICK = 10_000;

/** Formats an elapsed time in milliseconds: `12 min ago`, `5 h 3 min ago`, `2 d 4 h ago`. */
export function agoText(t: Translator<'common.time'>, milliseconds: number): string {
  if (milliseconds < TICK) return t('justNow');
  // From one hour on, the text has two units so that rows with similar times can still be told apart.
  const [unit, text] = milliseconds < MINUTE ? ([1_000, 's'] as const) : ([MINUTE, 'min'] as const);
  const units = Math.floor(milliseconds / unit);
  const span = units < 60 ? t(text, { n: units }) : spanText(t, units * unit);
  return t('ago', { span });
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** All displayed times share one timer. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, TICK);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the current time, rounded down to a multiple of `TICK` so that all times on a page use the same value. */
function currentTick(): number {
  return Math.floor(Date.now() / TICK) * TICK;
}

type Props = {
  value: string;
  options?: Intl.DateTimeFormatOptions;
  both?: boolean;
};

/**
 * A timestamp as a relative time. Screen readers announce both the relative and the exact time. Inside a link or
 * button, the exact time replaces the relative time while the link or button is hovered or has the keyboard focus.
 */
export function Ago({ value, options = WHOLE_TIME, both = false }: Props) {
  const t = useTranslations('common.time');
  const now = useSyncExternalStore(subscribe, currentTick, currentTick);
  return (
    <span title={utcText(value)} className={both ? styles.both : styles.swapped}>
      {/* The browser's text may differ from the server's, because the server rendered its text earlier. */}
      <span className={styles.ago} suppressHydrationWarning>
        {agoText(t, now - Date.parse(value))}
      </span>
      <span className={styles.exact}>
        <Time value={value} options={options} />
      </span>
    </span>
  );
}
