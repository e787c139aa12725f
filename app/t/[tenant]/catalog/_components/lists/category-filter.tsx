'use client';

import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useTRPC } from '../../../_components/trpc';
import type { FilterProps } from '../kind';

/** Stands for services without a category. No category begins with a line break. */
const NONE = '\n';

/** Selects one category of the services, or those without one. Each option states how many services it has. */
export function CategoryFilter({ state: { category, uncategorized }, go }: FilterProps) {
  const t = useTranslations('catalog.categories');
  const trpc = useTRPC();
  const found = useQuery(trpc.catalog.services.categories.queryOptions());
  const names = (found.data ?? []).flatMap(({ name, services }) => (name === null ? [] : [{ name, services }]));
  const without = found.data?.find(({ name }) => name === null)?.services ?? 0;
  const options = names.map(({ name, services }) => ({ value: name, label: `${name} (${services})` }));
  // The category of the URL may be gone, or not loaded yet.
  if (category !== null && !names.some(({ name }) => name === category))
    options.push({ value: category, label: category });
  if (without > 0 || uncategorized) options.push({ value: NONE, label: t('none', { count: without }) });
  if (options.length === 0) return null;
  const choose = (value: string) =>
    go({ category: value === '' || value === NONE ? null : value, uncategorized: value === NONE });
  return (
    <NativeSelect
      aria-label={t('label')}
      value={uncategorized ? NONE : (category ?? '')}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[{ value: '', label: t('any') }, ...options]}
    />
  );
}
