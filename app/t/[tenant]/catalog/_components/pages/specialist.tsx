'use client';

import { Stack } from '@mantine/core';
import { BlockSection } from '../../../_components/blocks/block-section';
import { CalendarSection } from '../../../_components/calendars/calendar-section';
import { SPECIALIST } from '../kinds/specialist';
import { SpecialistFields } from '../kinds/specialist-fields';
import { NewRecord } from '../new-record';
import { RecordEdit } from '../record-edit';

export function SpecialistPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return (
    <Stack gap="xl">
      <div>
        <RecordEdit kind={SPECIALIST} Fields={SpecialistFields} id={id} canEdit={canEdit} />
      </div>
      <BlockSection
        subject={{ specialist_id: id, location_id: null }}
        label="The time of this specialist"
        canEdit={canEdit}
      />
      <CalendarSection subject={{ specialist_id: id, location_id: null }} canEdit={canEdit} />
    </Stack>
  );
}

export function NewSpecialistPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={SPECIALIST} Fields={SpecialistFields} canEdit={canEdit} />;
}
