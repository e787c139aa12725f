'use client';

import { Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Id } from '../../_components/id';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { capitalized } from './format';
import { Published } from './published';
import type { KindName } from './types';

type Kind = { name: KindName; title: string; listPath: string };

/** Returns the breadcrumb for a record's page. */
export function trailOf({ listPath, title }: Kind) {
  return [{ href: listPath, label: title }];
}

type Props = { kind: Kind; id: string; name: string; published: boolean; actions: ReactNode };

/** The header of a record's page: name, published state, ID, and actions. */
export function RecordHeader({ kind, id, name, published, actions }: Props) {
  return (
    <PageHeader
      trail={trailOf(kind)}
      title={name}
      tab={name}
      lead={
        <Group gap="sm" mih={26}>
          <Published published={published} />
          <Id value={id} what={`${kind.name} ID`} />
        </Group>
      }
      actions={actions}
    />
  );
}

type Query = {
  isError: boolean;
  error: { message: string; data?: { code?: string } | null } | null;
  refetch: () => unknown;
};

/** Shows that a record is loading, does not exist, or failed to load. */
export function RecordState({ kind, query }: { kind: Kind; query: Query }) {
  if (query.error?.data?.code === 'not_found') {
    const missing = `${capitalized(kind.name)} not found`;
    return (
      <>
        <PageHeader trail={trailOf(kind)} title={missing} tab={missing} />
        <EmptyState title={`No ${kind.name} with this ID`}>
          Check the URL, or find the {kind.name} in the list.
        </EmptyState>
      </>
    );
  }
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader
        trail={trailOf(kind)}
        title={<Skeleton height={33} width={260} component="span" display="block" />}
        tab={capitalized(kind.name)}
      />
      <LoadingRows rows={6} height={72} />
    </>
  );
}
