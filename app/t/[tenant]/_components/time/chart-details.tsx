'use client';

import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { DataTable } from '../tables/data-table';
import styles from './chart-details.module.css';

type Props = {
  label: string;
  note: string;
  columns: readonly string[];
  /** Returns the rows. Called only while the table is shown. */
  rows: () => ReactNode;
};

/** A table with a chart's data, for users who cannot see the chart. It is collapsed initially. */
export function ChartDetails({ label, note, columns, rows }: Props) {
  const t = useTranslations('common.time');
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('asTable')}</summary>
      {open && (
        <>
          <Text size="xs" my={4}>
            {note}
          </Text>
          <DataTable caption={label} minWidth={280} frameProps={{ style: { maxHeight: 320 } }} columns={columns}>
            {rows()}
          </DataTable>
        </>
      )}
    </details>
  );
}
