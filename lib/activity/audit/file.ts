import { readFile, rename, writeFile } from 'node:fs/promises';
import { pool } from '@/lib/platform/db';
import { type IdPrefix, idBound } from '@/lib/platform/ids';
import { logFile } from '../request-log/log-file';

const SOURCES = { audit_log: 'aud', sign_ins: 'sgn', refused_calls: 'rfc' } as const satisfies Record<string, IdPrefix>;

type Source = keyof typeof SOURCES;

/** Milliseconds. Until then, a transaction can add an entry with a lower id, or a sign-in can change its row. */
const SETTLED = 120_000;
const BATCH = 1_000;
/** Per run and table. The next run continues. */
const MAX_BATCHES = 100;

/**
 * Appends the audit entries, sign-ins, and refused calls of all tenants to a file, one JSON object per line.
 * `<path>.position` is written after the entries, so after a crash a batch can be in the file twice, but no entry is
 * missing. Returns the number of lines.
 */
export async function copyAudit(now: Date, path: string): Promise<{ lines: number }> {
  const file = logFile(path, 'AUDIT_LOG_FILE');
  const position = await readPosition(`${path}.position`);
  let lines = 0;
  try {
    for (const table of Object.keys(SOURCES) as Source[]) {
      const end = idBound(SOURCES[table], new Date(now.getTime() - SETTLED));
      const sql = `SELECT * FROM ${table} WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${BATCH}`;
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        const { rows } = await pool().query<{ id: string }>(sql, [position[table] ?? '', end]);
        const last = rows.at(-1);
        if (!last) break;
        await file.append(rows.map((row) => `${JSON.stringify({ table, ...row })}\n`));
        position[table] = last.id;
        await writePosition(`${path}.position`, position);
        lines += rows.length;
      }
    }
  } finally {
    await file.close();
  }
  return { lines };
}

type Position = Partial<Record<Source, string>>;

async function readPosition(path: string): Promise<Position> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Position;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

async function writePosition(path: string, position: Position): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(position), { mode: 0o640 });
  await rename(`${path}.new`, path);
}
