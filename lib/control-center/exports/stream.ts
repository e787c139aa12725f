import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { inControlCenter, reachedLocations } from '@/lib/platform/tenant-scope';
import { type Column, csvHeader, csvNote, csvRows } from './csv';
import { LIMIT_NOTE, MAX_EXPORTED } from './limit';
import { beginExport, type Export, endExport, LONGEST, type Outcome } from './record';

export type Rows<Row> = { pages: AsyncIterable<readonly Row[]>; columns: readonly Column<Row>[] };

/** `longest` is in milliseconds. */
type Bounds = { most: number; longest: number };

const BOUNDS: Bounds = { most: MAX_EXPORTED, longest: LONGEST };

/**
 * Records an export and streams its CSV file. The next page is read only after the client has received the previous
 * one, which bounds memory. The first is read before this returns, so that the HTTP status can report an error.
 * @throws AppError export_running if an export of the member is running.
 */
export async function exportCsv<Row>(
  now: Date,
  given: Export,
  rows: Rows<Row>,
  bounds = BOUNDS,
): Promise<ReadableStream<Uint8Array>> {
  const entryId = await beginExport(now, given);
  const parts = partsOf(entryId, rows, bounds);
  // The stream is read after the procedure has ended. The `inControlCenter` of the procedure no longer applies then.
  const reached = reachedLocations();
  const within = <T>(work: () => T) => inControlCenter(given.tenantId, work, reached);
  const next = () => within(() => parts.next());
  let first: IteratorResult<string, void> | null = await next();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = first ?? (await next());
        first = null;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        await within(() => parts.return());
      },
    },
    { highWaterMark: 0 },
  );
}

async function* partsOf<Row>(
  entryId: string,
  { pages, columns }: Rows<Row>,
  { most, longest }: Bounds,
): AsyncGenerator<string, void> {
  const deadline = performance.now() + longest;
  // If the client cancels, this generator ends at a `yield`. The result then remains `canceled`.
  const outcome: Outcome = { rows: 0, result: 'canceled' };
  try {
    let head = csvHeader(columns);
    for await (const page of pages) {
      if (performance.now() > deadline) throw new AppError('service_unavailable');
      const kept = page.slice(0, most - outcome.rows);
      outcome.rows += kept.length;
      yield head + csvRows(columns, kept);
      head = '';
      if (kept.length === page.length) continue;
      outcome.result = 'limit';
      yield csvNote(columns, `${LIMIT_NOTE}. Narrow the filters to export the rest.`);
      return;
    }
    outcome.result = 'complete';
    if (head !== '') yield head;
  } catch (error) {
    outcome.result = 'failed';
    log().error({ err: error, audit_id: entryId }, 'an export failed');
    throw error;
  } finally {
    await endExport(entryId, outcome);
  }
}
