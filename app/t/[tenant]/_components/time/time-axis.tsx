'use client';

import { type CSSProperties, useMemo } from 'react';
import { useFormats } from '@/app/_components/language';
import { useHydrated } from '@/app/_components/use-hydrated';
import { ticksOf } from './ticks';
import styles from './time-axis.module.css';

/** The time axis below a chart, in the reader's time zone. `from` and `to` are milliseconds since the Unix epoch. */
export function TimeAxis({ from, to }: { from: number; to: number }) {
  const format = useFormats();
  const isLocal = useHydrated();
  const ticks = useMemo(() => (isLocal ? ticksOf(format, { from, to }) : []), [format, isLocal, from, to]);
  return (
    <div className={styles.axis} aria-hidden>
      {ticks.map(({ at, label }) => (
        <span
          key={at}
          className={styles.tick}
          style={{ '--at': `${((at - from) / (to - from)) * 100}%` } as CSSProperties}
        >
          <span className={styles.label}>{label}</span>
        </span>
      ))}
    </div>
  );
}
