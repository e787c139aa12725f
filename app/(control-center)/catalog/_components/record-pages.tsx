'use client';

import type { ReactNode } from 'react';
import type { KindTypes, RecordKind } from './kind';
import { LOCATION } from './kinds/location';
import { SERVICE } from './kinds/service';
import { SPECIALIST } from './kinds/specialist';
import { NewRecord } from './new-record';
import { RecordEdit } from './record-edit';
import { RecordList } from './record-list';
import type { KindName } from './types';

type Props = { kind: KindName; canEdit: boolean };

type Render = <K extends KindTypes>(kind: RecordKind<K>) => ReactNode;

// Routes pass only the name of a kind. They are server components, which cannot pass the functions of a `RecordKind` to
// client components.
function withKind(name: KindName, render: Render): ReactNode {
  if (name === 'service') return render(SERVICE);
  return name === 'location' ? render(LOCATION) : render(SPECIALIST);
}

export function RecordListPage({ kind, canEdit }: Props) {
  return withKind(kind, (declared) => <RecordList kind={declared} canEdit={canEdit} />);
}

export function NewRecordPage({ kind, canEdit }: Props) {
  return withKind(kind, (declared) => <NewRecord kind={declared} canEdit={canEdit} />);
}

export function RecordPage({ kind, id, canEdit }: Props & { id: string }) {
  return withKind(kind, (declared) => <RecordEdit kind={declared} id={id} canEdit={canEdit} />);
}
