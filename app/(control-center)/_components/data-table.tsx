'use client';

import { Box, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, type Ref, useRef } from 'react';
import styles from './data-table.module.css';
import stacked from './stacked-table.module.css';
import { useStacked } from './use-stacked';

type Props = {
  caption: string;
  minWidth: number;
  busy?: boolean;
  /** A grid of boxes to tick says nothing without its columns: it scrolls sideways instead. */
  grid?: boolean;
  frame?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/**
 * A table with a caption, in a frame of its own that the keyboard reaches; where it does not fit, its rows are sheets.
 * Each cell says its column in `data-label`.
 */
export function DataTable({ caption, minWidth, busy = false, grid = false, frame, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const boxes = useMergedRef(box, frame ?? null);
  const stacks = useStacked(box, minWidth) && !grid;
  return (
    <Box ref={boxes} className={styles.frame} role="region" aria-label={caption} tabIndex={0} aria-busy={busy}>
      <Table
        style={{ '--table-width': `${minWidth}px` } as CSSProperties}
        data-stacked={stacks || undefined}
        fz={13}
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
