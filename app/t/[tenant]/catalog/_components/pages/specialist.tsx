'use client';

import { Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import { SPECIALIST } from '../kinds/specialist';
import { SpecialistFields } from '../kinds/specialist-fields';
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

export function SpecialistPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  const t = useTranslations('catalog.specialist');
  return (
    <Stack gap="xl">
      <div>
        <RecordEdit kind={SPECIALIST} Fields={SpecialistFields} id={id} canEdit={canEdit} />
      </div>
      <BlockSection subject={{ specialist_id: id, location_id: null }} label={t('blocks')} canEdit={canEdit} />
      <CalendarSection subject={{ specialist_id: id, location_id: null }} canEdit={canEdit} />
    </Stack>
  );
}

export function NewSpecialistPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={SPECIALIST} Fields={SpecialistFields} canEdit={canEdit} />;
}
