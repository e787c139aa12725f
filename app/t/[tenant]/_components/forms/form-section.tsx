'use client';

import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from '@/app/_components/hint';
import styles from './form-section.module.css';

type Props = {
  title: string;
  lead?: string;
  id?: string;
  children: ReactNode;
};

/** A section of a form, with its title and introduction on the left and its fields on the right. */
export function Section({ title, lead, id, children }: Props) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} bg="var(--app-surface)">
      <div className={styles.section}>
        <div>
          <Title order={2} size="h5" id={id} tabIndex={id ? -1 : undefined} style={{ scrollMarginTop: 80 }}>
            {title}
          </Title>
          {lead && <Hint mt={4}>{lead}</Hint>}
        </div>
        <Stack gap="lg" className={styles.fields ?? ''}>
          {children}
        </Stack>
      </div>
    </Paper>
  );
}
