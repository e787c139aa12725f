'use client';

import { useTRPCClient } from '../../../_components/trpc';
import { proceduresOf, type RecordKind } from '../kind';
import type { SpecialistRecord, SpecialistRow, SpecialistValues } from '../types';

export const SPECIALIST: RecordKind<{ doc: SpecialistRecord; values: SpecialistValues; row: SpecialistRow }> = {
  name: 'specialist',
  router: 'specialists',
  title: 'Specialists',
  lead: 'People who provide services, with their working hours.',
  empty: 'A specialist offers services at locations during working hours.',
  publishEffect:
    'Partners see this specialist within a second if the specialist offers a published service at a published location.',
  unpublishEffect: 'Partners stop seeing this specialist within a second and can no longer book with them.',
  listPath: '/catalog/specialists',
  path: '/catalog/specialists',
  minWidth: 720,
  columns: [
    { label: 'Title', cell: ({ title }) => title ?? '–' },
    { label: 'Services', cell: ({ service_count }) => service_count },
    { label: 'Locations', cell: ({ location_names }) => location_names.join(', ') || 'None' },
  ],
  useProcedures: () => proceduresOf(useTRPCClient().catalog.specialists),
  initial: {
    display_name: '',
    title: null,
    description: null,
    image_url: null,
    workplaces: [],
    breaks: [],
    time_off: [],
  },
  valuesOf: ({ published: _, ...values }) => values,
  titleOf: ({ display_name }) => display_name,
  unready: ({ workplaces }) => {
    if (!workplaces.some(({ service_ids }) => service_ids.length > 0))
      return 'This specialist offers no service yet. Select services under Locations.';
    const works = workplaces.some(({ hours, exceptions }) => hours.length + exceptions.length > 0);
    return works ? null : 'This specialist has no working hours yet. Enter them under Locations.';
  },
};
