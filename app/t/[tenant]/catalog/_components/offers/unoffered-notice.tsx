'use client';

import { Alert, Anchor, List, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { TextLink } from '@/app/_components/link';
import styles from '../catalog.module.css';
import type { RecordRow } from '../kind';
import { UNOFFERED_NOTICE } from '../words';
import { OFFERED_BY } from './offers';

/** Links to the section on the service's page where specialists are added. */
export function UnofferedNotice({ onLeave }: { onLeave: () => void }) {
  const t = useTranslations('catalog.unoffered');
  const leave = (event: MouseEvent) => {
    event.preventDefault();
    onLeave();
    // Mantine returns the focus of a closing dialog, except if it has moved since the dialog closed.
    requestAnimationFrame(() => document.getElementById(OFFERED_BY)?.focus());
  };
  return (
    <Alert id={UNOFFERED_NOTICE} color="yellow" title={t('one')}>
      {t.rich('oneHint', {
        link: (text) => (
          <Anchor href={`#${OFFERED_BY}`} inherit underline="always" onClick={leave}>
            {text}
          </Anchor>
        ),
      })}
    </Alert>
  );
}

type Props = { rows: readonly RecordRow[]; path: string };

/** Links from each service to the section on its page where specialists are added. */
export function UnofferedRows({ rows, path }: Props) {
  const t = useTranslations('catalog.unoffered');
  return (
    <Alert id={UNOFFERED_NOTICE} color="yellow" title={t('many', { count: rows.length })}>
      <Text size="sm">{t('manyHint')}</Text>
      <List size="sm" spacing={2} className={styles.outside}>
        {rows.map(({ id, name }) => (
          <List.Item key={id}>
            <TextLink href={`${path}/${id}#${OFFERED_BY}`} inherit underline="always">
              {name}
            </TextLink>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
