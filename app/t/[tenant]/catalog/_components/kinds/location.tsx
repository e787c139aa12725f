'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../_components/dialogs/dialog';
import { NotLoaded } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import type { RecordKind } from '../kind';
import type { LocationRecord, LocationRow, LocationValues } from '../types';

export const LOCATION: RecordKind<{ doc: LocationRecord; values: LocationValues; row: LocationRow }> = {
  name: 'location',
  router: 'locations',
  listPath: '/catalog/locations',
  path: '/catalog/locations',
  minWidth: 720,
  columns: [
    { key: 'location.city', plain: true, cell: ({ city }) => city },
    { key: 'location.timeZone', plain: true, cell: ({ time_zone }) => time_zone },
    { key: 'columns.specialists', cell: ({ specialist_count }) => specialist_count },
    { key: 'columns.services', cell: ({ service_count }) => service_count },
  ],
  ListAction: ClosureButton,
  initial: {
    name: {},
    address: { line1: '', city: '', postal_code: '', country: '' },
    time_zone: 'Europe/Berlin',
    phone: null,
    hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '09:00', closes: '17:00' })),
    exceptions: [],
  },
  titleOf: ({ name }, { default_locale }) => name[default_locale],
  unready: ({ hours, exceptions }) => (hours.length + exceptions.length > 0 ? null : 'closed'),
};

const ClosureForm = dynamic(() => import('../fields/closure-form').then((module) => module.ClosureForm), {
  ssr: false,
});

function ClosureButton() {
  const t = useTranslations('catalog.closure');
  const [opened, { open, close }] = useDisclosure();
  const trpc = useTRPC();
  const choices = useQuery({ ...trpc.catalog.choices.queryOptions(), enabled: opened });
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarOff size={16} aria-hidden />} onClick={open}>
        {t('title')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('title')} size="lg">
        {choices.isError || !choices.data ? (
          <NotLoaded query={choices} rows={4} />
        ) : (
          <ClosureForm locations={choices.data.locations} onClose={close} />
        )}
      </Dialog>
    </>
  );
}
