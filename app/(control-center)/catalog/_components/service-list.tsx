'use client';

import { Anchor, Stack, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Columns, DataTable } from '../../_components/data-table';
import { useTRPC } from '../../_components/trpc';
import { useAddress } from '../../_components/use-address';
import { CatalogFrame } from './catalog-frame';
import { formatMinutes, formatPrice } from './format';
import { addressOf, changeQuery, listInput } from './list-query';
import { Published } from './published';
import { ListResults, ListToolbar, NewButton } from './record-list';
import type { ServiceRow } from './types';

const ADDRESS = addressOf('/catalog');
const COLUMNS = ['Name', 'State', 'Category', 'Duration', 'Price', 'Capacity', 'Specialists', 'Locations'];

/** The services of the tenant. */
export function ServiceList({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const { query, go } = useAddress(ADDRESS, changeQuery);
  const options = trpc.catalog.services.list.queryOptions(listInput(query), { placeholderData: keepPreviousData });
  const list = useQuery(options);
  const create = canEdit && <NewButton href="/catalog/services/new" label="New service" />;
  return (
    <CatalogFrame title="Services" lead="What can be booked: how long, how often, how many, and when." actions={create}>
      <Stack gap="md">
        <ListToolbar query={query} go={go} />
        <ListResults
          what="service"
          query={query}
          go={go}
          list={list}
          create={create}
          empty="A service is what partners book. Create the first, or import a whole catalog."
        >
          {(rows: ServiceRow[]) => <Services rows={rows} busy={list.isPlaceholderData} />}
        </ListResults>
      </Stack>
    </CatalogFrame>
  );
}

function Services({ rows, busy }: { rows: ServiceRow[]; busy: boolean }) {
  return (
    <DataTable caption="Services" minWidth={860} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Th scope="row" role="rowheader">
              <Anchor component={Link} href={`/catalog/services/${row.id}`} fz={13} fw={600}>
                {row.name}
              </Anchor>
            </Table.Th>
            <Table.Td data-label="State">
              <Published published={row.published} />
            </Table.Td>
            <Table.Td data-label="Category">{row.category ?? '–'}</Table.Td>
            <Table.Td data-label="Duration">{formatMinutes(row.duration_minutes)}</Table.Td>
            <Table.Td data-label="Price">
              {row.price_amount !== null && row.price_currency !== null
                ? formatPrice(row.price_amount, row.price_currency)
                : '–'}
            </Table.Td>
            <Table.Td data-label="Capacity">{row.capacity}</Table.Td>
            <Table.Td data-label="Specialists">{row.specialist_count}</Table.Td>
            <Table.Td data-label="Locations">{row.location_count}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
