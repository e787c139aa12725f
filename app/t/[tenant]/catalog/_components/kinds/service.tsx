'use client';

import dynamic from 'next/dynamic';
import { useTRPCClient } from '../../../_components/trpc';
import { formatMinutes } from '../duration';
import type { RecordKind, RecordProcedures } from '../kind';
import { serviceListInput } from '../list-state';
import { formatPrice, priceQuestion } from '../money';
import { NextPriceText } from '../next-price-text';
import { offerChange } from '../offers';
import type { ServiceRecord, ServiceRow, ServiceValues } from '../types';

type ServiceTypes = { doc: ServiceRecord; values: ServiceValues; row: ServiceRow };

/**
 * Returns the tRPC procedures for services. A service is loaded and saved together with the specialists who offer it.
 */
function useServiceProcedures(): RecordProcedures<ServiceTypes> {
  const { services, offerings } = useTRPCClient().catalog;
  const { list, outside, unpublishing, set_published } = services;
  return {
    list,
    outside,
    unpublishing,
    set_published,
    get: {
      query: async ({ id }) => {
        const [found, offered_by] = await Promise.all([
          services.get.query({ id }),
          offerings.query({ service_id: id }),
        ]);
        return { ...found, record: { ...found.record, offered_by } };
      },
    },
    create: { mutate: ({ record: { offered_by: _, ...record } }) => services.create.mutate({ record }) },
    update: {
      mutate: ({ before, record: { offered_by, ...record }, ...target }) =>
        services.update.mutate({ ...target, record, ...offerChange(before.offered_by, offered_by) }),
    },
  };
}

export const SERVICE: RecordKind<ServiceTypes> = {
  name: 'service',
  router: 'services',
  listPath: '/catalog',
  path: '/catalog/services',
  minWidth: 860,
  columns: [
    { label: 'category', plain: true, cell: ({ category }) => category ?? '–' },
    {
      label: 'duration',
      plain: true,
      cell: ({ duration_minutes }, { format }) => formatMinutes(duration_minutes, format),
    },
    {
      label: 'price',
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
    { label: 'capacity', cell: ({ capacity }) => capacity },
    { label: 'specialists', cell: ({ specialist_count }) => specialist_count },
    { label: 'locations', cell: ({ location_count }) => location_count },
  ],
  // The pages of a service do not need its script.
  BulkAction: dynamic(() => import('../price-button').then((module) => module.PriceButton), { ssr: false }),
  Filter: dynamic(() => import('../category-filter').then((module) => module.CategoryFilter)),
  listInput: serviceListInput,
  useProcedures: useServiceProcedures,
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
  valuesOf: ({ published: _, ...values }) => values,
  titleOf: ({ name }, { default_locale }) => name[default_locale],
  unoffered: {
    record: ({ offered_by }) => offered_by.length === 0,
    row: ({ specialist_count }) => specialist_count === 0,
  },
  questionOf: ({ t, format }, before, after) => priceQuestion(t, before.price, after.price, format.language),
};
