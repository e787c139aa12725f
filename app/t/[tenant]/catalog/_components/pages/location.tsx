'use client';

import { LOCATION } from '../kinds/location';
import { LocationFields } from '../kinds/location-fields';
import { NewRecord } from '../new-record';
import { RecordEdit } from '../record-edit';

export function LocationPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return <RecordEdit kind={LOCATION} Fields={LocationFields} id={id} canEdit={canEdit} />;
}

export function NewLocationPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={LOCATION} Fields={LocationFields} canEdit={canEdit} />;
}
