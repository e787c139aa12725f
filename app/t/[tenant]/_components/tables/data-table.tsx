'use client';

import { Box, rem, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type CSSProperties, type HTMLAttributes, type ReactNode, type Ref, useRef } from 'react';
import { useHydrated } from '@/app/_components/use-hydrated';
import styles from './data-table.module.css';
import { Table } from './table';
import { IsStacked, useStacked } from './use-stacked';

type Props = {
  caption: string;
  /** Accessible name of the frame around the table. Default: the caption. */
  label?: string;
  /** Minimum width of the table in pixels. If the frame around the table is narrower, the rows are stacked. */
  minWidth: number;
  /** Whether the shown rows are out of date, because new rows are being loaded. */
  busy?: boolean;
  /** A grid of checkboxes that is too wide for its frame scrolls horizontally instead of being stacked. */
  grid?: boolean;
  /** Whether the cards of stacked rows are dense: the values follow one another, each behind its label. For short values. */
  dense?: boolean;
  /** Whether the header stays visible while the page scrolls. Set this only for tables that fit into their frames. */
  stickyHeader?: boolean;
  frame?: Ref<HTMLDivElement>;
  frameProps?: HTMLAttributes<HTMLDivElement>;
  className?: string;
  /** The headers of the columns. If they are set, `children` are the rows. Otherwise, they are the head and the bodies. */
  columns?: readonly (string | ColumnProps)[];
  children: ReactNode;
};

/**
 * A table with a caption, in a scrollable frame that can receive the keyboard focus. If the frame is too narrow for the
 * table, the rows are stacked, which means that each row becomes a card of labeled values. Three attributes of a cell
 * control how the card shows the cell:
 *
 * - `data-label` is the label of the value.
 * - `data-wide` makes the value two columns wide. `data-wide="all"` makes the value as wide as the card.
 * - `data-actions` marks the cell that contains the buttons.
 * - `data-side` puts the cell behind the row header, without a label, in a dense card.
 */
export function DataTable(props: Props) {
  const {
    caption,
    label = caption,
    minWidth,
    busy = false,
    grid = false,
    dense = false,
    stickyHeader = false,
    frame,
    frameProps,
    className,
    columns,
    children,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const boxes = useMergedRef(box, frame ?? null);
  const stacks = useStacked(box, minWidth) && !grid;
  const isMeasured = useHydrated();
  return (
    <Box
      ref={boxes}
      className={styles.frame}
      role="region"
      aria-label={label}
      tabIndex={0}
      aria-busy={busy}
      data-sticky={stickyHeader || undefined}
      {...frameProps}
    >
      <Table
        style={{ '--table-width': `${minWidth}px`, fontSize: rem(13) } as CSSProperties}
        data-stacked={stacks || undefined}
        data-dense={dense || undefined}
        data-unmeasured={isMeasured ? undefined : true}
        data-stale={busy || undefined}
        className={className ? `${styles.table} ${className}` : styles.table}
      >
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <IsStacked value={stacks}>{columns ? <Rows columns={columns}>{children}</Rows> : children}</IsStacked>
      </Table>
    </Box>
  );
}

function Rows({ columns, children }: { columns: NonNullable<Props['columns']>; children: ReactNode }) {
  return (
    <>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <Column key={column} label={column} />
            ) : (
              <Column key={column.label} {...column} />
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </>
  );
}

type ColumnProps = { label: string; numeric?: boolean; hidden?: boolean };

/** The header of one column. If `hidden` is set, the label is not visible, but screen readers announce it. */
export function Column({ label, numeric = false, hidden = false }: ColumnProps) {
  return (
    <Table.Th scope="col" data-numeric={numeric || undefined}>
      {hidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
    </Table.Th>
  );
}

/** The headers of several columns. */
export function Columns({ labels }: { labels: readonly string[] }) {
  return labels.map((label) => <Column key={label} label={label} />);
}

type SortProps = {
  label: string;
  direction: 'asc' | 'desc' | null;
  onSort: () => void;
  numeric?: boolean;
  className?: string | undefined;
};

/** The header of a sortable column. `direction` is null while the table is sorted by another column. */
export function SortColumn({ label, direction, onSort, numeric = false, className }: SortProps) {
  const Icon = direction === null ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  const sorted = direction === 'asc' ? 'ascending' : 'descending';
  return (
    <Table.Th
      scope="col"
      aria-sort={direction === null ? 'none' : sorted}
      data-numeric={numeric || undefined}
      className={className}
    >
      <UnstyledButton className={styles.sort} onClick={onSort}>
        {label}
        <Icon size={13} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
