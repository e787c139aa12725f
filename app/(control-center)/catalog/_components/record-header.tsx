'use client';

import { Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Id } from '../../_components/id';
import { PageHeader } from '../../_components/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { Published } from './published';

/** The three kinds of records, and where their lists are. */
const LISTS = {
  service: { href: '/catalog', label: 'Services' },
  location: { href: '/catalog/locations', label: 'Locations' },
  specialist: { href: '/catalog/specialists', label: 'Specialists' },
} as const;

/** A kind of record. */
export type What = keyof typeof LISTS;

/** The way back to the list. */
export function trailOf(what: What) {
  return [{ href: LISTS[what].href, label: LISTS[what].label }];
}

type Props = { what: What; id: string; name: string | undefined; published: boolean | undefined; actions: ReactNode };

/** The top of a record's page: its name, whether partners see it, its id. */
export function RecordHeader({ what, id, name, published, actions }: Props) {
  return (
    <PageHeader
      trail={trailOf(what)}
      title={name ?? <Skeleton height={33} width={260} component="span" display="block" />}
      lead={
        <Group gap="sm" mih={26}>
          {published !== undefined && <Published published={published} />}
          <Id value={id} what={`the id of this ${what}`} />
        </Group>
      }
      actions={actions}
    />
  );
}

type Query = {
  data?: unknown;
  isError: boolean;
  error: { message: string; data?: { code?: string } | null } | null;
  refetch: () => unknown;
};

/** What is shown while a record is not there: on its way, failed, or nowhere. */
export function RecordState({ what, query }: { what: What; query: Query }) {
  if (query.error?.data?.code === 'not_found') {
    return (
      <>
        <PageHeader trail={trailOf(what)} title={`No such ${what}`} />
        <EmptyState title="It is not here">
          This Control Center has no {what} with this id. Check the address, or find it in the list.
        </EmptyState>
      </>
    );
  }
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader trail={trailOf(what)} title={<Skeleton height={33} width={260} component="span" display="block" />} />
      <LoadingRows rows={6} height={72} />
    </>
  );
}
