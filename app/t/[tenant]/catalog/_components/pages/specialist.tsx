'use client';

import { SPECIALIST } from '../kinds/specialist';
import { SpecialistFields } from '../kinds/specialist-fields';
import { NewRecord } from '../new-record';
import { RecordEdit } from '../record-edit';

export function SpecialistPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return <RecordEdit kind={SPECIALIST} Fields={SpecialistFields} id={id} canEdit={canEdit} />;
}

export function NewSpecialistPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={SPECIALIST} Fields={SpecialistFields} canEdit={canEdit} />;
}
