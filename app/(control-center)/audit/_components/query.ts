import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';
import { addressWith, cursorOf, dateOf, textOf } from '../../_components/use-address';

/** One change. */
export type AuditLine = inferRouterOutputs<AppRouter>['audit']['list']['lines'][number];

/** What the filters can be set to. */
export type Choices = inferRouterOutputs<AppRouter>['audit']['choices'];

/** What the Audit page shows; all of it is in the address. */
export type AuditQuery = {
  person: string | null;
  kind: string | null;
  object: string | null;
  /** Dates of the reader, both inclusive. */
  from: string | null;
  to: string | null;
  cursor: string | null;
  back: boolean;
};

/** No filter set. */
export const NO_FILTERS = { person: null, kind: null, object: null, from: null, to: null } as const;

/** Reads the address. */
export function readQuery(params: URLSearchParams): AuditQuery {
  return {
    person: textOf(params, 'person'),
    kind: textOf(params, 'kind'),
    object: textOf(params, 'object'),
    from: dateOf(params, 'from'),
    to: dateOf(params, 'to'),
    cursor: cursorOf(params),
    back: params.get('back') === '1',
  };
}

/** Returns the query after a change; whatever changes but the page begins on the first page again. */
export function changeQuery(query: AuditQuery, patch: Partial<AuditQuery>): AuditQuery {
  return { ...query, cursor: null, back: false, ...patch };
}

/** Returns the address that shows a query. */
export function hrefOf({ back, ...texts }: Partial<AuditQuery>): string {
  return addressWith('/audit', { ...texts, back: back ? '1' : null });
}

/** Returns what the server is asked for: dates begin and end at the reader's midnight. */
export function listInput(query: AuditQuery): inferRouterInputs<AppRouter>['audit']['list'] {
  const { person, kind, object, from, to, cursor, back } = query;
  return {
    person,
    object_kind: kind,
    object_id: object,
    from: from && new Date(`${from}T00:00:00`).toISOString(),
    to: to && dayAfter(to),
    cursor,
    back,
  };
}

function dayAfter(date: string): string {
  const at = new Date(`${date}T00:00:00`);
  at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** Tells whether anything narrows the list. */
export function isFiltered(query: AuditQuery): boolean {
  return (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => query[name] !== null);
}
