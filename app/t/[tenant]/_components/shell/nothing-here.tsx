'use client';

import { Anchor } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { EmptyState } from '../states';
import { PageHeader } from './page-header';

/** The page for a URL that does not exist. */
export function NothingHere() {
  const t = useTranslations('shell.notFound');
  const hrefOf = useTenantHref();
  return (
    <>
      <PageHeader title={t('title')} />
      <EmptyState title={t('noPage')} action={<Anchor href={hrefOf('/')}>{t('back')}</Anchor>}>
        {t('text')}
      </EmptyState>
    </>
  );
}
