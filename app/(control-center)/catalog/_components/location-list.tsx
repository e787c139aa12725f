'use client';

import { Anchor, Stack, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Columns, DataTable } from '../../_components/data-table';
import { useTRPC } from '../../_components/trpc';
import { useAddress } from '../../_components/use-address';
import { CatalogFrame } from './catalog-frame';
import { addressOf, changeQuery, listInput } from './list-query';
import { Published } from './published';
import { ListResults, ListToolbar, NewButton } from './record-list';
import type { LocationRow } from './types';

const ADDRESS = addressOf('/catalog/locations');
const COLUMNS = ['Name', 'State', 'City', 'Time zone', 'Specialists', 'Services'];

/** The locations of the tenant. */
export function LocationList({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const { query, go } = useAddress(ADDRESS, changeQuery);
  const options = trpc.catalog.locations.list.queryOptions(listInput(query), { placeholderData: keepPreviousData });
  const list = useQuery(options);
  const create = canEdit && <NewButton href="/catalog/locations/new" label="New location" />;
  return (
    <CatalogFrame title="Locations" lead="Where services are given, and when each is open." actions={create}>
      <Stack gap="md">
        <ListToolbar query={query} go={go} />
        <ListResults
          what="location"
          query={query}
          go={go}
          list={list}
          create={create}
          empty="A location has an address, a time zone and opening hours. Specialists work there."
        >
          {(rows: LocationRow[]) => <Locations rows={rows} busy={list.isPlaceholderData} />}
        </ListResults>
      </Stack>
    </CatalogFrame>
  );
}

function Locations({ rows, busy }: { rows: LocationRow[]; busy: boolean }) {
  return (
    <DataTable caption="Locations" minWidth={720} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Th scope="row" role="rowheader">
              <Anchor component={Link} href={`/catalog/locations/${row.id}`} fz={13} fw={600}>
                {row.name}
              </Anchor>
            </Table.Th>
            <Table.Td data-label="State">
              <Published published={row.published} />
            </Table.Td>
            <Table.Td data-label="City">{row.city}</Table.Td>
            <Table.Td data-label="Time zone">{row.time_zone}</Table.Td>
            <Table.Td data-label="Specialists">{row.specialist_count}</Table.Td>
            <Table.Td data-label="Services">{row.service_count}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
