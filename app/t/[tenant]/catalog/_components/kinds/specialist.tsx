'use client';

import type { RecordKind } from '../kind';
import type { SpecialistRecord, SpecialistRow, SpecialistValues } from '../types';

export const SPECIALIST: RecordKind<{ doc: SpecialistRecord; values: SpecialistValues; row: SpecialistRow }> = {
  name: 'specialist',
  router: 'specialists',
  listPath: '/catalog/specialists',
  path: '/catalog/specialists',
  minWidth: 720,
  columns: [
    { key: 'specialist.title', plain: true, cell: ({ title }) => title ?? '–' },
    { key: 'columns.services', cell: ({ service_count }) => service_count },
    {
      key: 'columns.locations',
      plain: true,
      cell: ({ location_names }, { t }) => location_names.join(', ') || t('columns.noLocations'),
    },
  ],
  initial: {
    display_name: '',
    title: null,
    description: null,
    image_url: null,
    workplaces: [],
    breaks: [],
    time_off: [],
  },
  titleOf: ({ display_name }) => display_name,
  unready: ({ workplaces }) => {
    if (!workplaces.some(({ service_ids }) => service_ids.length > 0)) return 'noService';
    const works = workplaces.some(({ hours, exceptions }) => hours.length + exceptions.length > 0);
    return works ? null : 'noHours';
  },
};
