'use client';

import { useTRPCClient } from '../../../_components/trpc';
import { ClosureButton } from '../closure-button';
import { proceduresOf, type RecordKind } from '../kind';
import type { LocationRecord, LocationRow, LocationValues } from '../types';

export const LOCATION: RecordKind<{ doc: LocationRecord; values: LocationValues; row: LocationRow }> = {
  name: 'location',
  router: 'locations',
  listPath: '/catalog/locations',
  path: '/catalog/locations',
  minWidth: 720,
  columns: [
    { label: 'city', plain: true, cell: ({ city }) => city },
    { label: 'timeZone', plain: true, cell: ({ time_zone }) => time_zone },
    { label: 'specialists', cell: ({ specialist_count }) => specialist_count },
    { label: 'services', cell: ({ service_count }) => service_count },
  ],
  ListAction: ClosureButton,
  useProcedures: () => proceduresOf(useTRPCClient().catalog.locations),
  initial: {
    name: {},
    address: { line1: '', city: '', postal_code: '', country: '' },
    time_zone: 'Europe/Berlin',
    phone: null,
    hours: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '09:00', closes: '17:00' })),
    exceptions: [],
  },
  valuesOf: ({ published: _, ...values }) => values,
  titleOf: ({ name }, { default_locale }) => name[default_locale],
  unready: ({ hours, exceptions }) => (hours.length + exceptions.length > 0 ? null : 'closed'),
};
