import { Box, Table, VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import stacked from '../../_components/stacked-table.module.css';
import styles from './applications.module.css';

type Props = { caption: string; minWidth: number; busy?: boolean; children: ReactNode };

/**
 * A table with a caption, in a frame of its own that scrolls sideways and that the keyboard reaches; on a narrow screen
 * its rows are sheets. Each cell says its column in `data-label`.
 */
export function TableFrame({ caption, minWidth, busy = false, children }: Props) {
  return (
    <Box className={styles.frame} role="region" aria-label={caption} tabIndex={0} aria-busy={busy}>
      <Table
        style={{ '--table-width': `${minWidth}px` } as CSSProperties}
        verticalSpacing="xs"
        horizontalSpacing="sm"
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
