import { bookingChoices } from '@/lib/booking/bookings/list-choices';
import { type AuditFilter, type AuditLine, listAudit } from '../audit/list';
import type { Column } from './csv';

/** Number of rows that each query reads. */
const PAGE = 500;

/** A change in words, as the Audit page shows it. */
export type ChangeTexts = {
  sentence: string;
  actor: string;
  action: string;
  objectType: string;
  object: string;
  /** The changed fields with their values before and after. */
  changes: string;
};

/**
 * Puts a change into words. The pages supply this function, because their words are not part of lib.
 * @param names The names of catalog records and applications by their ids.
 * @param timeZone The time zone in which times are stated.
 */
export type DescribeChange = (line: AuditLine, names: ReadonlyMap<string, string>, timeZone: string) => ChangeTexts;

/** A row of the file. `local` is the time in the tenant's time zone. */
type ExportedChange = AuditLine & { texts: ChangeTexts; local: string; timeZone: string };

/** The columns of exported changes. */
export const AUDIT_COLUMNS: readonly Column<ExportedChange>[] = [
  ['id', (row) => row.id],
  ['time_utc', (row) => row.at.toISOString()],
  ['time_local', (row) => row.local],
  ['time_zone', (row) => row.timeZone],
  ['change', (row) => row.texts.sentence],
  ['actor', (row) => row.texts.actor],
  ['actor_id', (row) => row.actor_id],
  ['action', (row) => row.texts.action],
  ['action_code', (row) => row.action],
  ['object_type', (row) => row.texts.objectType],
  ['object', (row) => row.texts.object],
  ['object_id', (row) => row.object_id],
  ['changes', (row) => row.texts.changes],
];

/** Returns all changes that match a filter, page by page, newest first. Times are in the tenant's time zone. */
export async function* auditPages(
  filter: AuditFilter,
  textsOf: DescribeChange,
  timeZone: string,
): AsyncGenerator<readonly ExportedChange[]> {
  const names = await namesOf(filter.tenantId);
  // The Swedish locale formats dates and times in the ISO 8601 style.
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  let cursor: string | null = null;
  do {
    const found = await listAudit(filter, { cursor, back: false }, PAGE);
    yield found.lines.map((line) => {
      return { ...line, texts: textsOf(line, names, timeZone), local: clock.format(line.at), timeZone };
    });
    cursor = found.next;
  } while (cursor !== null);
}

/** Returns the names of catalog records and applications by their ids. The Audit page shows the same names. */
async function namesOf(tenantId: string): Promise<ReadonlyMap<string, string>> {
  const choices = await bookingChoices(tenantId);
  return new Map(Object.values(choices).flatMap((all) => all.map(({ id, name }) => [id, name] as const)));
}
