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
import type { SpecialistRow } from './types';

const ADDRESS = addressOf('/catalog/specialists');
const COLUMNS = ['Name', 'State', 'Title', 'Services', 'Works at'];

/** The specialists of the tenant. */
export function SpecialistList({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const { query, go } = useAddress(ADDRESS, changeQuery);
  const options = trpc.catalog.specialists.list.queryOptions(listInput(query), { placeholderData: keepPreviousData });
  const list = useQuery(options);
  const create = canEdit && <NewButton href="/catalog/specialists/new" label="New specialist" />;
  return (
    <CatalogFrame title="Specialists" lead="Who gives services, where, and when." actions={create}>
      <Stack gap="md">
        <ListToolbar query={query} go={go} />
        <ListResults
          what="specialist"
          query={query}
          go={go}
          list={list}
          create={create}
          empty="A specialist offers services at locations, in hours of their own."
        >
          {(rows: SpecialistRow[]) => <Specialists rows={rows} busy={list.isPlaceholderData} />}
        </ListResults>
      </Stack>
    </CatalogFrame>
  );
}

function Specialists({ rows, busy }: { rows: SpecialistRow[]; busy: boolean }) {
  return (
    <DataTable caption="Specialists" minWidth={720} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Th scope="row" role="rowheader">
              <Anchor component={Link} href={`/catalog/specialists/${row.id}`} fz={13} fw={600}>
                {row.name}
              </Anchor>
            </Table.Th>
            <Table.Td data-label="State">
              <Published published={row.published} />
            </Table.Td>
            <Table.Td data-label="Title">{row.title ?? '–'}</Table.Td>
            <Table.Td data-label="Services">{row.service_count}</Table.Td>
            <Table.Td data-label="Works at">{row.location_names.join(', ') || 'Nowhere yet'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
