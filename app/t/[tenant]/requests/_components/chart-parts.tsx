import { Group } from '@mantine/core';
import styles from './requests.module.css';

type Tone = 'ok' | 'client' | 'server';

/** The parts of one bar, from top to bottom, as shares of the `highest` bar. */
export function Segments({ of, highest }: { of: readonly (readonly [Tone, number])[]; highest: number }) {
  return of
    .filter(([, count]) => count > 0)
    .map(([tone, count]) => (
      <span
        key={tone}
        className={`${styles.segment} ${styles[tone]}`}
        style={{ height: `${(count / highest) * 100}%` }}
      />
    ));
}

/** What the colors of a chart mean. The chart's table says it in words. */
export function Legend({ of }: { of: readonly (readonly [Tone, string])[] }) {
  return (
    <Group gap="sm" wrap="nowrap" aria-hidden>
      {of.map(([tone, label]) => (
        <span key={tone} className={styles.legend}>
          <span className={`${styles.dot} ${styles[tone]}`} />
          {label}
        </span>
      ))}
    </Group>
  );
}
