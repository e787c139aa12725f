import { bookingChoices } from '@/lib/booking/bookings/list-choices';
import { localTimestamp, storedZone, type Zone } from '@/lib/platform/time-zones';
import { type AuditFilter, type AuditLine, listAudit } from '../audit/list';
import type { Column } from './csv';

const PAGE = 500;

/** As on the Audit page. */
export type ChangeTexts = {
  sentence: string;
  actor: string;
  action: string;
  objectType: string;
  object: string;
  /** With their values before and after. */
  changes: string;
};

/**
 * Describes an entry of the audit log. A parameter of the export, because the texts are in app, and lib does not import
 * from app. `names` are those of catalog records and applications by id.
 */
export type DescribeChange = (line: AuditLine, names: ReadonlyMap<string, string>, timeZone: string) => ChangeTexts;

/** `local` is in the tenant's time zone. */
type ExportedChange = AuditLine & { texts: ChangeTexts; local: string; timeZone: string };

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

/** Yields all changes that match a filter, page by page, newest first. Times are in the tenant's time zone. */
export async function* auditPages(
  filter: AuditFilter,
  textsOf: DescribeChange,
  timeZone: string,
): AsyncGenerator<readonly ExportedChange[]> {
  const names = await namesOf(filter.tenantId);
  const zone = storedZone(timeZone);
  let cursor: string | null = null;
  do {
    const page = { cursor, back: false };
    const found: Awaited<ReturnType<typeof listAudit>> = await listAudit(filter, page, PAGE);
    yield found.lines.map((line) => {
      return { ...line, texts: textsOf(line, names, timeZone), local: localText(zone, line.at), timeZone };
    });
    cursor = found.next;
  } while (cursor !== null);
}

/** `2026-11-22 14:30:05`. */
const localText = (zone: Zone, at: Date) => localTimestamp(zone, at).slice(0, 19).replace('T', ' ');

/** As the Audit page shows them. */
async function namesOf(tenantId: string): Promise<ReadonlyMap<string, string>> {
  const choices = await bookingChoices(tenantId);
  return new Map(Object.values(choices).flatMap((all) => all.map(({ id, name }) => [id, name] as const)));
}
