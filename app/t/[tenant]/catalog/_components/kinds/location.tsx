'use client';

import { useTRPCClient } from '../../../_components/trpc';
import { ClosureButton } from '../closure-button';
import { proceduresOf, type RecordKind } from '../kind';
import type { LocationRecord, LocationRow, LocationValues } from '../types';

export const LOCATION: RecordKind<{ doc: LocationRecord; values: LocationValues; row: LocationRow }> = {
  name: 'location',
  router: 'locations',
  title: 'Locations',
  lead: 'Where services take place, with opening hours.',
  empty: 'A location has an address, a time zone, and opening hours. Specialists work there.',
  publishEffect:
    'Partners see this location within a second if a published service is offered there. They can book there if a published specialist offers the service.',
  unpublishEffect: 'Partners stop seeing this location within a second and can no longer book there.',
  listPath: '/catalog/locations',
  path: '/catalog/locations',
  minWidth: 720,
  columns: [
    { label: 'City', cell: ({ city }) => city },
    { label: 'Time zone', cell: ({ time_zone }) => time_zone },
    { label: 'Specialists', cell: ({ specialist_count }) => specialist_count },
    { label: 'Services', cell: ({ service_count }) => service_count },
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
  titleOf: ({ name }, { default_locale }) => name[default_locale] ?? 'Location',
  unready: ({ hours, exceptions }) =>
    hours.length + exceptions.length > 0 ? null : 'This location has no opening hours yet, so it is always closed.',
};
