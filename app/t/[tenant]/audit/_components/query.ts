import type { inferParserType } from 'nuqs/server';
import { AUDIT_FIELDS } from '@/lib/control-center/filters/fields';
import type { Inputs } from '../../_components/api-types';
import { filterOf, PAGING } from '../../_components/filters/filter-of';
import { createHref } from '../../_components/url-href';
import { parseAsDate } from '../../_components/url-parsers';

export const FILTER = filterOf(AUDIT_FIELDS);

/** The URL parameters of the Audit page. */
export const PARSERS = {
  ...FILTER.parsers,
  // `from` and `to` are dates in the reader's time zone. The list includes changes on these dates and between them.
  from: parseAsDate,
  to: parseAsDate,
  ...PAGING,
};

/** The parsed values of the URL parameters. */
export type AuditQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
export const NO_FILTERS = { ...FILTER.none, from: null, to: null };

const createAuditHref = createHref(PARSERS);

/** Returns the URL of the Audit page with filters. */
export function auditHref(query: Partial<AuditQuery>): string {
  return createAuditHref('/audit', query);
}

/** Converts the dates to the start of the day `from` and the end of the day `to`, in the reader's time zone. */
export function filterInput(query: AuditQuery): Inputs['audit']['list'] {
  return {
    ...FILTER.inputOf(query),
    from: query.from && midnight(query.from, 0),
    to: query.to && midnight(query.to, 1),
  };
}

function midnight(date: string, daysLater: number): string {
  const at = new Date(`${date}T00:00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}
