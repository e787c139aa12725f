'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import styles from './applications.module.css';

type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A status as colored text. The text alone is sufficient for readers who do not see the color. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.state} ${styles[tone]}`}>{children}</span>;
}

/** An application's status. */
export function ApplicationState({ suspended }: { suspended: boolean }) {
  const t = useTranslations('applications.state');
  return <StateBadge tone={suspended ? 'bad' : 'good'}>{t(suspended ? 'suspended' : 'active')}</StateBadge>;
}
