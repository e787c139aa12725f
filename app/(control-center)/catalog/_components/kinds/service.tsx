'use client';

import { useTRPCClient } from '../../../_components/trpc';
import { formatMinutes } from '../duration';
import type { RecordKind } from '../kind';
import { formatPrice, priceQuestion } from '../money';
import { OfferingsEditor } from '../offerings-editor';
import { PriceButton } from '../price-button';
import type { ServiceRecord, ServiceRow, ServiceValues } from '../types';
import { ServiceFields } from './service-fields';

export const SERVICE: RecordKind<{ doc: ServiceRecord; values: ServiceValues; row: ServiceRow }> = {
  name: 'service',
  router: 'services',
  title: 'Services',
  lead: 'What partners can book: duration, capacity, price, and booking rules.',
  empty: 'Partners book services. Create the first one or import a catalog.',
  publishEffect:
    'Partners see it within a second, provided it is offered at a published location. They can book it if a published specialist offers it there.',
  unpublishEffect: 'Partners stop seeing it within a second and can no longer book it.',
  listPath: '/catalog',
  path: '/catalog/services',
  minWidth: 860,
  columns: [
    { label: 'Category', cell: ({ category }) => category ?? '–' },
    { label: 'Duration', cell: ({ duration_minutes }) => formatMinutes(duration_minutes) },
    {
      label: 'Price',
      cell: ({ price_amount, price_currency }) =>
        price_amount !== null && price_currency !== null ? formatPrice(price_amount, price_currency) : '–',
    },
    { label: 'Capacity', cell: ({ capacity }) => capacity },
    { label: 'Specialists', cell: ({ specialist_count }) => specialist_count },
    { label: 'Locations', cell: ({ location_count }) => location_count },
  ],
  BulkAction: PriceButton,
  useProcedures: () => useTRPCClient().catalog.services,
  initial: {
    name: {},
    description: null,
    category: null,
    duration_minutes: 30,
    slot_interval_minutes: 15,
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
    capacity: 1,
    price: null,
    min_lead_minutes: 60,
    max_advance_days: 90,
    cancellation_cutoff_minutes: 1_440,
  },
  valuesOf: ({ published: _, ...values }) => values,
  titleOf: ({ name }, { default_locale }) => name[default_locale] ?? 'Service',
  questionOf: (before, after) => priceQuestion(before.price, after.price),
  Fields: ServiceFields,
  Section: OfferingsEditor,
};
