import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import styles from './applications.module.css';
import type { ListQuery, Sort } from './use-list-query';

type Props = {
  by: Sort;
  label: string;
  numeric?: boolean;
  query: ListQuery;
  onSort: (sort: Sort, direction: 'asc' | 'desc') => void;
};

/** The header of a column that sorts; figures begin with the highest, words with A. */
export function SortHeader({ by, label, numeric = false, query, onSort }: Props) {
  const active = query.sort === by;
  const first = by === 'name' ? 'asc' : 'desc';
  const next = active ? (query.direction === 'asc' ? 'desc' : 'asc') : first;
  const Icon = active ? (query.direction === 'asc' ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  const sorted = query.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <Table.Th aria-sort={active ? sorted : 'none'} className={numeric ? styles.number : undefined} scope="col">
      <UnstyledButton className={styles.sort} onClick={() => onSort(by, next)}>
        {label}
        <Icon size={13} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
