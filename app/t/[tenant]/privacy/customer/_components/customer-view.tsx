'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Problem } from '../../../_components/forms/form-end';
import { EmptyState } from '../../../_components/states';
import { saveFile } from '../../../_components/tables/save-file';
import { useTRPC } from '../../../_components/trpc';
import { EraseDialog } from './erase-dialog';
import { Erasures } from './erasures';
import { FoundTable } from './found-table';
import { SearchForm } from './search-form';
import type { CustomerExport, FoundBy } from './types';

// Only needed after an export.
const Report = dynamic(() => import('./report').then((module) => module.Report));

type Shown = { foundBy: FoundBy; chosen: ReadonlySet<string> };

/** Finds all data of one customer, hands it out, and erases it. Nothing of it is in the URL, a cache, or browser storage. */
export function CustomerView() {
  const trpc = useTRPC();
  const t = useTranslations('privacy.customer');
  const { language } = useFormats();
  const eitherOf = (texts: readonly string[]) => new Intl.ListFormat(language, { type: 'disjunction' }).format(texts);
  const [shown, setShown] = useState<Shown | null>(null);
  const [report, setReport] = useState<CustomerExport | null>(null);
  const [erasing, setErasing] = useState(false);
  const find = useMutation(trpc.privacy.customer.find.mutationOptions({ gcTime: 0 }));
  const exporting = useMutation(trpc.privacy.customer.export.mutationOptions({ gcTime: 0 }));
  const bookings = find.data?.bookings ?? [];
  const chosen = bookings.filter(({ reference }) => shown?.chosen.has(reference));
  const search = (searched: Parameters<typeof find.mutate>[0], foundBy: FoundBy) => {
    exporting.reset();
    find.mutate(searched, {
      // A number belongs to one person. People with the same name are chosen one by one.
      onSuccess: (found) => {
        const all = foundBy === 'phone' ? found.bookings.map(({ reference }) => reference) : [];
        setShown({ foundBy, chosen: new Set(all) });
      },
    });
  };
  const handOut = (use: (data: CustomerExport) => void) => {
    if (!shown) return;
    const references = chosen.map(({ reference }) => reference);
    exporting.mutate({ found_by: shown.foundBy, references }, { onSuccess: use });
  };
  if (report) return <Report data={report} onBack={() => setReport(null)} />;
  const field = find.error?.data?.fields?.[0];
  return (
    <Stack gap="lg">
      <SearchForm
        busy={find.isPending}
        problem={field ? t('problem', { message: field.message }) : null}
        onSearch={search}
      />
      {find.error && !field && <Problem error={find.error} />}
      {find.data && shown && bookings.length === 0 && (
        <EmptyState title={t('none')}>
          {find.data.understood.length > 0 && `${t('understood', { numbers: eitherOf(find.data.understood) })} `}
          {t('removedBefore')}
        </EmptyState>
      )}
      {shown && bookings.length > 0 && (
        <Stack component="section" gap="sm" aria-label={t('foundLabel')}>
          <Text size="sm" role="status">
            {t(find.data?.truncated ? 'foundFirst' : 'found', { count: bookings.length })}
          </Text>
          {find.data?.truncated && <Alert color="yellow">{t('truncated')}</Alert>}
          <FoundTable
            bookings={bookings}
            chosen={shown.chosen}
            onChoose={(next) => setShown({ ...shown, chosen: next })}
          />
          <Group gap="sm">
            <Text size="sm" aria-live="polite">
              {t('chosen', { chosen: chosen.length, all: bookings.length })}
            </Text>
            <Button
              variant="default"
              disabled={chosen.length === 0}
              loading={exporting.isPending}
              onClick={() => handOut(setReport)}
            >
              {t('readable')}
            </Button>
            <Button
              variant="default"
              disabled={chosen.length === 0}
              loading={exporting.isPending}
              onClick={() => handOut(saveJson)}
            >
              {t('json')}
            </Button>
            <Button color="red.9" disabled={chosen.length === 0} onClick={() => setErasing(true)}>
              {t('erase')}
            </Button>
          </Group>
          <Problem error={exporting.error} />
          <EraseDialog
            foundBy={shown.foundBy}
            bookings={chosen}
            opened={erasing}
            onClose={() => setErasing(false)}
            onErasing={() => {
              setErasing(false);
              setShown(null);
              find.reset();
            }}
          />
        </Stack>
      )}
      <Erasures />
    </Stack>
  );
}

/** The name of the file has no data of the customer. */
function saveJson(data: CustomerExport): void {
  const name = `customer-data-${data.exported_at.slice(0, 10)}.json`;
  saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), name);
}
