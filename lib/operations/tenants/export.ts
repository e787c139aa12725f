import pg from 'pg';
import { to } from 'pg-copy-streams';
import { recordChange } from '@/lib/activity/audit/record';
import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import type { Signer } from '@/lib/platform/ed25519';
import { env } from '@/lib/platform/env';
import { StartError } from '@/lib/platform/postgres/start-error';
import { writingSecret } from '@/lib/platform/secrets';
import { type Counts, copyTo, countsLine, endOfRowsLine, type Table, tableLine } from '../backup/format';
import { writeNewFile } from '../backup/new-file';
import { withSnapshot } from '../backup/snapshot';
import { readTables } from '../backup/tables';
import { findClaim, secretsFingerprint } from '../environment/claim';
import type { LockWait } from '../environment/lock-wait';
import { appliedMigrations } from '../environment/migrations';
import { type ExportHeader, exportHeaderLine, hashKeysFingerprint, signatureLine } from './export-format';
import { readableRows } from './readable';
import { beginDigest, signDigest, signerOf } from './signature';
import { TENANT_TABLES } from './tables';
import { requireUndeleted } from './undeleted';

export type TenantExport = { tenantId: string; path: string; readable: boolean };

/** `signer` is the public key that verifies the export's signature. */
export type Exported = { name: string; counts: Counts; signer: string };

/**
 * Writes a consistent snapshot of a tenant to a new, signed file with mode 0600, while servers read and write. The file
 * gets its final name when it is complete. The memory use does not depend on the amount of data. The audit log records
 * the export before the first row is read. `databaseUrl` must not lead to a pooler.
 * @throws AppError not_found if there is no such tenant; StartError if the file exists or cannot be written, or if a
 * rotation of the secret is incomplete.
 */
export async function exportTenant(
  now: Date,
  databaseUrl: string,
  { tenantId, path, readable }: TenantExport,
  signal: AbortSignal,
  waiting: LockWait = {},
): Promise<Exported> {
  const signer = signerOf(writingSecret());
  const tenant = pg.escapeLiteral(tenantId);
  return writeNewFile(path, 'exports', signal, async (write) => {
    const name = await recordExport(now, tenantId, readable);
    return withSnapshot(databaseUrl, { undone: 'The tenant was not exported', ...waiting }, async (client) => {
      const header = await headerOf(client, { id: tenantId, name }, readable, signer, now);
      const tables = await tenantTables(client);
      const counts: Counts = {};
      const rows = readable
        ? readableRows(client, tables, tenant, path, counts)
        : sealedRows(client, tables, tenant, counts);
      await write(signed(header, rows, signer));
      return { name, counts, signer: signer.publicKey };
    });
  });
}

/** In the order of `TENANT_TABLES`. */
async function tenantTables(client: pg.Client): Promise<Table[]> {
  const { tables } = await readTables(client);
  return [...TENANT_TABLES.keys()].flatMap((name) => tables.filter((table) => table.name === name));
}

async function recordExport(now: Date, tenantId: string, readable: boolean): Promise<string> {
  return db().$transaction(async (tx) => {
    const tenant = await tx.tenant.findUnique({
      where: { id: tenantId },
      select: { name: true, deletionBeganAt: true },
    });
    if (!tenant) throw notFound();
    requireUndeleted(tenant);
    const object = { kind: 'tenant', id: tenantId };
    const actor = { kind: 'operator' } as const;
    await recordChange(tx, now, { tenantId, actor, action: 'tenant.exported', object, after: { readable } });
    return tenant.name;
  });
}

async function headerOf(
  client: pg.Client,
  tenant: ExportHeader['tenant'],
  readable: boolean,
  { publicKey }: Signer,
  now: Date,
): Promise<ExportHeader> {
  const environment = env().ENVIRONMENT;
  const claim = await findClaim(client);
  if (claim && claim.previous_fingerprint !== null)
    throw new StartError('A rotation of SECRET_KEY is not complete. Run npm run rotate-secret first.');
  const migrations = [...(await appliedMigrations(client))].sort();
  return {
    format: 1,
    environment,
    readable,
    tenant,
    secrets_fingerprint: secretsFingerprint({ environment, secretKey: writingSecret() }),
    hash_keys_fingerprint: hashKeysFingerprint(),
    migrations,
    created_at: now.toISOString(),
    signer: publicKey,
  };
}

async function* sealedRows(client: pg.Client, tables: Table[], tenant: string, counts: Counts): AsyncGenerator<Buffer> {
  for (const table of tables) {
    yield tableLine(table);
    const rows = client.query(to(copyTo(table, TENANT_TABLES.get(table.name)?.(tenant))));
    for await (const chunk of rows) yield chunk as Buffer;
    yield endOfRowsLine;
    counts[table.name] = rows.rowCount;
  }
  yield countsLine(counts);
}

async function* signed(header: ExportHeader, rows: AsyncIterable<Buffer>, signer: Signer): AsyncGenerator<Buffer> {
  const digest = beginDigest();
  const first = exportHeaderLine(header);
  digest.update(first);
  yield first;
  for await (const chunk of rows) {
    digest.update(chunk);
    yield chunk;
  }
  yield signatureLine(header.readable, signDigest(digest.digest(), signer));
}
