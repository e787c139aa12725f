'use client';

import { Box, Table, VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import stacked from '../../_components/stacked-table.module.css';
import { useStacked } from '../../_components/use-stacked';
import styles from './applications.module.css';

type Props = { caption: string; minWidth: number; busy?: boolean; children: ReactNode };

/**
 * A table with a caption, in a frame of its own that the keyboard reaches; where it does not fit, its rows are sheets.
 * Each cell says its column in `data-label`.
 */
export function TableFrame({ caption, minWidth, busy = false, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const stacks = useStacked(frame, minWidth);
  return (
    <Box ref={frame} className={styles.frame} role="region" aria-label={caption} tabIndex={0} aria-busy={busy}>
      <Table
        style={{ '--table-width': `${minWidth}px` } as CSSProperties}
        verticalSpacing="xs"
        horizontalSpacing="sm"
        data-stacked={stacks || undefined}
        className={`${stacked.table} ${busy ? styles.stale : ''}`}
      >
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        {children}
      </Table>
    </Box>
  );
}
