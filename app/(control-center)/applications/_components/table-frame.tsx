import { Box, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './applications.module.css';

type Props = { caption: string; minWidth: number; busy?: boolean; children: ReactNode };

/** A table with a caption, in a frame of its own that scrolls sideways and that the keyboard reaches. */
export function TableFrame({ caption, minWidth, busy = false, children }: Props) {
  return (
    <Box className={styles.frame} role="region" aria-label={caption} tabIndex={0} aria-busy={busy}>
      <Table miw={minWidth} verticalSpacing="xs" horizontalSpacing="sm" className={busy ? styles.stale : undefined}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        {children}
      </Table>
    </Box>
  );
}
