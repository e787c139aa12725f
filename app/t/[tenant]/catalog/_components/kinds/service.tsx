'use client';

import dynamic from 'next/dynamic';
import { formatMinutes } from '../fields/duration';
import type { RecordKind } from '../kind';
import { serviceListInput } from '../lists/list-state';
import { offerChange } from '../offers/offers';
import { formatPrice, priceQuestion } from '../prices/money';
import { NextPriceText } from '../prices/next-price-text';
import type { ServiceRecord, ServiceRow, ServiceValues } from '../types';

type ServiceTypes = { doc: ServiceRecord; values: ServiceValues; row: ServiceRow };

export const SERVICE: RecordKind<ServiceTypes> = {
  name: 'service',
  router: 'services',
  listPath: '/catalog',
  path: '/catalog/services',
  minWidth: 860,
  columns: [
    { key: 'service.category', plain: true, cell: ({ category }) => category ?? '–' },
    {
      key: 'service.duration',
      plain: true,
      cell: ({ duration_minutes }, { format }) => formatMinutes(duration_minutes, format),
    },
    {
      key: 'service.price',
      numeric: true,
      plain: true,
      cell: ({ price_amount, price_currency, next_price }, { format }) => (
        <>
          {price_amount !== null && price_currency !== null
            ? formatPrice(price_amount, price_currency, format.language)
            : '–'}
          {next_price && <NextPriceText next={next_price} />}
        </>
      ),
    },
    { key: 'service.capacity', cell: ({ capacity }) => capacity },
    { key: 'columns.specialists', cell: ({ specialist_count }) => specialist_count },
    { key: 'columns.locations', cell: ({ location_count }) => location_count },
  ],
  // The pages of a service do not need its script.
  BulkAction: dynamic(() => import('../prices/price-button').then((module) => module.PriceButton), { ssr: false }),
  Filter: dynamic(() => import('../lists/category-filter').then((module) => module.CategoryFilter)),
  listInput: serviceListInput,
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
    offered_by: [],
  },
  inputOf: (before, { offered_by, ...record }) => ({ record, ...offerChange(before.offered_by, offered_by) }),
  titleOf: ({ name }, { default_locale }) => name[default_locale],
  unoffered: {
    record: ({ offered_by }) => offered_by.length === 0,
    row: ({ specialist_count }) => specialist_count === 0,
  },
  questionOf: ({ t, format }, before, after) => priceQuestion(t, before.price, after.price, format.language),
};
