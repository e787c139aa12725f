'use client';

import { SERVICE } from '../kinds/service';
import { ServiceFields } from '../kinds/service-fields';
import { NewRecord } from '../new-record';
import { RecordEdit } from '../record-edit';

export function ServicePage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return <RecordEdit kind={SERVICE} Fields={ServiceFields} id={id} canEdit={canEdit} />;
}

export function NewServicePage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={SERVICE} Fields={ServiceFields} canEdit={canEdit} />;
}
