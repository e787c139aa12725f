import { createLoader, type SearchParams } from 'nuqs/server';
import type { ComponentType } from 'react';
import { currentMember } from '@/app/_session';
import { Prefetch, type Tools } from '../../_components/prefetch';
import { listInput, PARSERS, serviceListInput } from './lists/list-state';
import type { KindName } from './types';

const loadState = createLoader(PARSERS);

/** Returns the procedures of a kind, in the types of locations. */
const proceduresOf = ({ catalog }: Tools['trpc'], kind: KindName) => catalog[`${kind}s`] as typeof catalog.locations;

// The routes get their pages, because this file would load each page that it imports with every other.

/** Returns the route of a list of records, which loads its data on the server. */
export function listRoute(kind: KindName, ListPage: ComponentType<{ kind: KindName; canEdit: boolean }>) {
  return async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
    const [state, member] = await Promise.all([loadState(searchParams), currentMember()]);
    const input = kind === 'service' ? serviceListInput(state) : listInput(state);
    return (
      <Prefetch
        load={({ trpc, queries }) => [
          queries.prefetchQuery(proceduresOf(trpc, kind).list.queryOptions(input)),
          ...(kind === 'service' ? [queries.prefetchQuery(trpc.catalog.services.categories.queryOptions())] : []),
        ]}
      >
        <ListPage kind={kind} canEdit={member?.role === 'OWNER'} />
      </Prefetch>
    );
  };
}

/** Returns the route of one record, which loads its data on the server. */
export function recordRoute(kind: KindName, RecordPage: ComponentType<{ id: string; canEdit: boolean }>) {
  return async ({ params }: { params: Promise<{ id: string }> }) => {
    const [{ id }, member] = await Promise.all([params, currentMember()]);
    return (
      <Prefetch
        load={({ trpc, queries }) => [
          queries.prefetchQuery(proceduresOf(trpc, kind).get.queryOptions({ id })),
          queries.prefetchQuery(proceduresOf(trpc, kind).outside.queryOptions({ id })),
          queries.prefetchQuery(trpc.catalog.choices.queryOptions()),
        ]}
      >
        <RecordPage id={id} canEdit={member?.role === 'OWNER'} />
      </Prefetch>
    );
  };
}

/** Returns a route whose page only needs to know whether the member may edit the catalog. */
export function editRoute(Page: ComponentType<{ canEdit: boolean }>) {
  return async () => {
    const member = await currentMember();
    return <Page canEdit={member?.role === 'OWNER'} />;
  };
}
