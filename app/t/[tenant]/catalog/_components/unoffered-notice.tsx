'use client';

import { Alert, Anchor, List, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from '@/app/_components/link';
import { plural } from '../../_components/format';
import styles from './catalog.module.css';
import type { RecordRow } from './kind';
import { OFFERED_BY } from './offers';

/**
 * The HTML ID of each of the two notices in this file, which are never shown together. The button that publishes refers
 * to this ID, so screen readers announce the notice as its description.
 */
export const UNOFFERED_NOTICE = 'unoffered-notice';

/**
 * States that nobody offers the service that is about to be published. The link leads to the section on the service's
 * page where specialists are added.
 */
export function UnofferedNotice({ onLeave }: { onLeave: () => void }) {
  const leave = (event: MouseEvent) => {
    event.preventDefault();
    onLeave();
    // Mantine returns the focus of a closing dialog, except if it has moved since the dialog closed.
    requestAnimationFrame(() => document.getElementById(OFFERED_BY)?.focus());
  };
  return (
    <Alert id={UNOFFERED_NOTICE} color="yellow" title="Nobody offers this service">
      Partners cannot book it until you add a specialist under{' '}
      <Anchor href={`#${OFFERED_BY}`} inherit underline="always" onClick={leave}>
        Who offers this
      </Anchor>
      .
    </Alert>
  );
}

type Props = { rows: readonly RecordRow[]; path: string };

/**
 * Lists the selected services that nobody offers. Each link leads to the section on the service's page where
 * specialists are added.
 */
export function UnofferedRows({ rows, path }: Props) {
  return (
    <Alert id={UNOFFERED_NOTICE} color="yellow" title={`Nobody offers ${plural(rows.length, 'selected service')}`}>
      <Text size="sm">
        Partners cannot book a service until you add a specialist on the service’s page, under “Who offers this”.
      </Text>
      <List size="sm" spacing={2} className={styles.outside}>
        {rows.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor component={Link} href={`${path}/${id}#${OFFERED_BY}`} inherit underline="always">
              {name}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
