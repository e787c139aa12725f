'use client';

import { Stack } from '@mantine/core';
import { BlockSection } from '../../../_components/blocks/block-section';
import { CalendarSection } from '../../../_components/calendars/calendar-section';
import { LOCATION } from '../kinds/location';
import { LocationFields } from '../kinds/location-fields';
import { NewRecord } from '../new-record';
import { RecordEdit } from '../record-edit';

export function LocationPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return (
    <Stack gap="xl">
      <div>
        <RecordEdit kind={LOCATION} Fields={LocationFields} id={id} canEdit={canEdit} />
      </div>
      <BlockSection
        subject={{ specialist_id: null, location_id: id }}
        label="The time of this location"
        canEdit={canEdit}
      />
      <CalendarSection subject={{ specialist_id: null, location_id: id }} canEdit={canEdit} />
    </Stack>
  );
}

export function NewLocationPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={LOCATION} Fields={LocationFields} canEdit={canEdit} />;
}
