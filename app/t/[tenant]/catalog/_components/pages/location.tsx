'use client';

import { Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import { LOCATION } from '../kinds/location';
import { LocationFields } from '../kinds/location-fields';
import { NewRecord } from '../new-record';
import { RecordEdit } from '../record-edit';

// At the end of the page, so they are not part of its first scripts.
const BlockSection = dynamic(
  () => import('../../../_components/blocks/block-section').then((module) => module.BlockSection),
  { ssr: false },
);
const CalendarSection = dynamic(
  () => import('../../../_components/calendars/calendar-section').then((module) => module.CalendarSection),
  { ssr: false },
);

export function LocationPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  const t = useTranslations('catalog.location');
  return (
    <Stack gap="xl">
      <div>
        <RecordEdit kind={LOCATION} Fields={LocationFields} id={id} canEdit={canEdit} />
      </div>
      <BlockSection subject={{ specialist_id: null, location_id: id }} label={t('blocks')} canEdit={canEdit} />
      <CalendarSection subject={{ specialist_id: null, location_id: id }} canEdit={canEdit} />
    </Stack>
  );
}

export function NewLocationPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={LOCATION} Fields={LocationFields} canEdit={canEdit} />;
}
