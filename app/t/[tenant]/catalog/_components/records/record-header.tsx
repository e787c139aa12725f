'use client';

import { Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { Id } from '../../../_components/id';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import type { KindName } from '../types';
import { Published } from './published';

type Kind = { name: KindName; listPath: string };

/** Returns the breadcrumb for a record's page. */
export function trailOf(t: Translator<'catalog.kinds'>, { listPath, name }: Kind) {
  return [{ href: listPath, label: t(`${name}.title`) }];
}

type Props = { kind: Kind; id: string; name: string; published: boolean; actions: ReactNode };

/** The header of a record's page: name, published state, ID, and actions. */
export function RecordHeader({ kind, id, name, published, actions }: Props) {
  const t = useTranslations('catalog.kinds');
  return (
    <PageHeader
      trail={trailOf(t, kind)}
      title={name}
      tab={name}
      lead={
        <Group gap="sm" mih={26}>
          <Published kind={kind.name} published={published} />
          <Id value={id} what={t(`${kind.name}.id`)} />
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
  const t = useTranslations('catalog.kinds');
  if (query.error?.data?.code === 'not_found') {
    const missing = t(`${kind.name}.missing`);
    return (
      <>
        <PageHeader trail={trailOf(t, kind)} title={missing} tab={missing} />
        <EmptyState title={t(`${kind.name}.missingTitle`)}>{t(`${kind.name}.missingLead`)}</EmptyState>
      </>
    );
  }
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader
        trail={trailOf(t, kind)}
        title={<Skeleton height={33} width={260} component="span" display="block" />}
        tab={t(`${kind.name}.name`)}
      />
      <LoadingRows rows={6} height={72} />
    </>
  );
}
