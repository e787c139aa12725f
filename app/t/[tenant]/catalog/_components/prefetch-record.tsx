import type { ReactNode } from 'react';
import { Prefetch, type Tools } from '../../_components/prefetch';
import type { KindName } from './types';

type Props = { kind: KindName; id: string; children: ReactNode };

/**
 * Loads the data of a catalog record's page on the server. `RecordEdit` finds this data only if its queries use the
 * same query keys.
 */
export function PrefetchRecord({ kind, id, children }: Props) {
  return <Prefetch load={(tools) => loadRecord(tools, kind, id)}>{children}</Prefetch>;
}

function loadRecord({ trpc: { catalog }, queries, call }: Tools, kind: KindName, id: string): Promise<void>[] {
  const { get, outside } = catalog[`${kind}s`];
  return [
    queries.prefetchQuery({ queryKey: get.queryKey({ id }), queryFn: () => recordOf(call, kind, id) }),
    queries.prefetchQuery({
      queryKey: outside.queryKey({ id }),
      queryFn: () => call.catalog[`${kind}s`].outside({ id }),
    }),
    queries.prefetchQuery(catalog.choices.queryOptions()),
  ];
}

/**
 * Returns a record in the shape that `useProcedures().get` returns for its kind. A record of a service includes the
 * specialists who offer it.
 */
async function recordOf({ catalog }: Tools['call'], kind: KindName, id: string) {
  if (kind !== 'service') return catalog[`${kind}s`].get({ id });
  const [found, offered_by] = await Promise.all([catalog.services.get({ id }), catalog.offerings({ service_id: id })]);
  return { ...found, record: { ...found.record, offered_by } };
}
