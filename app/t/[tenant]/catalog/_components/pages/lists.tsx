'use client';

import { LOCATION } from '../kinds/location';
import { SERVICE } from '../kinds/service';
import { SPECIALIST } from '../kinds/specialist';
import { RecordList } from '../record-list';
import type { KindName } from '../types';

// Routes pass only the name of a kind, because they are server components. These cannot pass the functions of a
// `RecordKind` to a client component. The pages with forms are in other files, so that this page does not load them.
export function RecordListPage({ kind, canEdit }: { kind: KindName; canEdit: boolean }) {
  if (kind === 'service') return <RecordList kind={SERVICE} canEdit={canEdit} />;
  if (kind === 'location') return <RecordList kind={LOCATION} canEdit={canEdit} />;
  return <RecordList kind={SPECIALIST} canEdit={canEdit} />;
}
