'use client';

import { LOCATION } from '../kinds/location';
import { SERVICE } from '../kinds/service';
import { SPECIALIST } from '../kinds/specialist';
import { RecordList } from '../record-list';
import type { KindName } from '../types';

// Routes are server components, which cannot pass the functions of a `RecordKind` to client components. The routes
// therefore pass only the name of a kind. The pages with forms are in other files so that a list page loads no form.
export function RecordListPage({ kind, canEdit }: { kind: KindName; canEdit: boolean }) {
  if (kind === 'service') return <RecordList kind={SERVICE} canEdit={canEdit} />;
  if (kind === 'location') return <RecordList kind={LOCATION} canEdit={canEdit} />;
  return <RecordList kind={SPECIALIST} canEdit={canEdit} />;
}
