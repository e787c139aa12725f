import type { inferParserType } from 'nuqs/server';
import type { Inputs } from '../../_components/api-types';
import { createHref } from '../../_components/url-href';
import { parseAsCursor, parseAsDate, parseAsFlag, parseAsText } from '../../_components/url-parsers';

/** The URL parameters of the Audit page. */
export const PARSERS = {
  person: parseAsText(),
  action: parseAsText(64),
  kind: parseAsText(),
  object: parseAsText(),
  // `from` and `to` are dates in the reader's time zone. The list includes changes on these dates and between them.
  from: parseAsDate,
  to: parseAsDate,
  cursor: parseAsCursor,
  back: parseAsFlag,
};

/** The parsed values of the URL parameters. */
export type AuditQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
export const NO_FILTERS = {
  person: null,
  action: null,
  kind: null,
  object: null,
  from: null,
  to: null,
} as const satisfies Record<Exclude<keyof AuditQuery, 'cursor' | 'back'>, null>;

const createAuditHref = createHref(PARSERS);

/** Returns the URL of the Audit page with filters. */
export function auditHref(query: Partial<AuditQuery>): string {
  return createAuditHref('/audit', query);
}

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: AuditQuery, patch: Partial<AuditQuery>): AuditQuery {
  return { ...query, cursor: null, back: false, ...patch };
}

/** Returns the input of the `audit.list` procedure. */
export function listInput(query: AuditQuery): Inputs['audit']['list'] {
  return { ...filterInput(query), cursor: query.cursor, back: query.back };
}

/**
 * Returns the filters as input for a procedure or an export. The dates are converted to timestamps in the reader's time
 * zone: `from` becomes the start of that day, and `to` becomes the end of that day.
 */
export function filterInput({ person, action, kind, object, from, to }: AuditQuery): Inputs['audit']['list'] {
  return {
    person,
    action,
    object_kind: kind,
    object_id: object,
    from: from && new Date(`${from}T00:00:00`).toISOString(),
    to: to && dayAfter(to),
  };
}

function dayAfter(date: string): string {
  const at = new Date(`${date}T00:00:00`);
  at.setDate(at.getDate() + 1);
  return at.toISOString();
}

/** Returns whether any filter is set. */
export function isFiltered(query: AuditQuery): boolean {
  return (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => query[name] !== null);
}
