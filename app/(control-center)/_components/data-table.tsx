'use client';

import { Box, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import styles from './data-table.module.css';

type Props = { caption: string; minWidth: number; busy?: boolean; frame?: Ref<HTMLDivElement>; children: ReactNode };

/** A table with a caption, in a frame of its own that scrolls sideways and that the keyboard reaches. */
export function DataTable({ caption, minWidth, busy = false, frame, children }: Props) {
  return (
    <Box ref={frame} className={styles.frame} role="region" aria-label={caption} tabIndex={0} aria-busy={busy}>
      <Table
        miw={minWidth}
        fz={13}
        verticalSpacing="xs"
        horizontalSpacing="sm"
        className={busy ? styles.stale : undefined}
      >
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        {children}
      </Table>
    </Box>
  );
}

/** The headers of columns that do not sort. */
export function Columns({ labels }: { labels: readonly string[] }) {
  return labels.map((label) => (
    <Table.Th key={label} scope="col">
      {label}
    </Table.Th>
  ));
}

type SortProps = { label: string; direction: 'asc' | 'desc' | null; onSort: () => void };

/** The header of a column that sorts. */
export function SortColumn({ label, direction, onSort }: SortProps) {
  const Icon = direction === null ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  const sorted = direction === 'asc' ? 'ascending' : 'descending';
  return (
    <Table.Th scope="col" aria-sort={direction === null ? 'none' : sorted}>
      <UnstyledButton className={styles.sort} onClick={onSort}>
        {label}
        <Icon size={13} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

/** A list of facts; made of `Fact`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** One fact: what it is, and what it is like. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
