import type { ReactNode } from 'react';
import styles from './applications.module.css';

type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A state as a word on a colour; the word alone says it too. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.state} ${styles[tone]}`}>{children}</span>;
}

/** Whether an application's keys are let in. */
export function ApplicationState({ suspended }: { suspended: boolean }) {
  return suspended ? <StateBadge tone="bad">Suspended</StateBadge> : <StateBadge tone="good">Active</StateBadge>;
}
