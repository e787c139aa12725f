import { type Connections, pool } from '@/lib/platform/db';
import { until } from '@/tests/support/until';

/** A row of the request log. */
type Row = Record<string, unknown> & { request_id: string };

/** Returns the rows with the given request id. */
export async function rowsOf(requestId: string, from: Connections = pool()): Promise<Row[]> {
  return (await from.query<Row>('SELECT * FROM request_log WHERE request_id = $1', [requestId])).rows;
}

/** Waits for the row of a request in the request log and returns it. */
export async function rowOf(requestId: string): Promise<Row> {
  const rows = await until(
    () => rowsOf(requestId),
    (found) => found.length > 0,
  );
  const [row] = rows;
  if (!row || rows.length > 1) throw new Error(`${rows.length} lines`);
  return row;
}
