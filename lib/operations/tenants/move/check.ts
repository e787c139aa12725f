import type pg from 'pg';
import { open } from '@/lib/platform/crypto';
import { env } from '@/lib/platform/env';
import { StartError } from '@/lib/platform/postgres/start-error';
import { deriveHashKeys } from '@/lib/platform/secrets';
import { HASH_KEYS } from '../../environment/claim';
import { appliedMigrations } from '../../environment/migrations';
import { tenantNamedLike } from '../names';
import type { Move } from './capture';
import type { Ends } from './copy';

type Claim = {
  name: string;
  secrets_fingerprint: string;
  previous_fingerprint: string | null;
  hash_keys: Buffer | null;
};

async function claimOf(client: pg.Client, cell: string): Promise<Claim> {
  const { rows: found } = await client.query(`SELECT to_regclass('environment') IS NOT NULL AS found`);
  const { rows } = found[0]?.found
    ? await client.query<Claim>('SELECT name, secrets_fingerprint, previous_fingerprint, hash_keys FROM environment')
    : { rows: [] };
  if (!rows[0]) throw notStarted(cell);
  return rows[0];
}

const notStarted = (cell: string) =>
  new StartError(`No server has started with the database of ${cell} yet. Start a server with that database first.`);

/**
 * Checks that a tenant can be moved between two deployments.
 * @throws StartError that states why the tenant cannot be moved.
 */
export async function checkDeployments({ source, target }: Ends, to: string): Promise<void> {
  await requireSameVersion({ source, target }, to);
  const [here, there] = [await claimOf(source, 'this cell'), await claimOf(target, to)];
  if (here.name !== there.name)
    throw new StartError(
      `The database of ${to} belongs to a ${there.name} environment, but the database of this cell belongs to a ${here.name} environment.`,
    );
  if (here.previous_fingerprint !== null || there.previous_fingerprint !== null)
    throw new StartError('A rotation of SECRET_KEY is not complete. Run npm run rotate-secret in both cells first.');
  if (here.secrets_fingerprint !== there.secrets_fingerprint)
    throw new StartError(
      `${to} has another SECRET_KEY. Partners' API keys would not work in ${to}. Move the tenant to a cell with the same SECRET_KEY.`,
    );
  // If a database stores no hash keys, its hash keys are derived from SECRET_KEY, which is the same in both cells.
  const derived = JSON.stringify(deriveHashKeys(env().SECRET_KEY, env().ENVIRONMENT));
  const [ours, theirs] = [here, there].map(({ hash_keys: sealed }) => (sealed ? open(sealed, HASH_KEYS) : derived));
  if (ours !== theirs)
    throw new StartError(
      `Partners' API keys would not work in ${to}, because the two cells were created with different values of SECRET_KEY. Rotating SECRET_KEY to the same value does not help, because stored API keys are always checked with the first value. Move the tenant to a cell that was created with the same SECRET_KEY.`,
    );
}

/**
 * Refuses a target whose schema differs from the schema of the source. The other checks run statements that can fail on
 * a different schema, so this check comes first.
 */
async function requireSameVersion({ source, target }: Pick<Ends, 'source' | 'target'>, to: string): Promise<void> {
  const [mine, other] = [await appliedMigrations(source), await appliedMigrations(target)];
  if (other.size === 0) throw notStarted(to);
  const [lacked] = [...mine].filter((name) => !other.has(name)).sort();
  const [unknown] = [...other].filter((name) => !mine.has(name)).sort();
  if (!lacked && !unknown) return;
  const difference = lacked ? `it lacks the migration ${lacked}` : `it has the migration ${unknown}`;
  throw new StartError(`${to} has another version: ${difference}. Bring both cells to the same version first.`);
}

/** The state of a tenant in one of the two cells of a move. */
export type State = { name: string; suspended: boolean; elsewhere: boolean; deleting: boolean };

/** Returns a tenant's state in a database, or null if the tenant does not exist there. */
export async function stateOf(client: pg.Client, tenantId: string): Promise<State | null> {
  const { rows } = await client.query<State>(
    `SELECT name, suspended_at IS NOT NULL AS suspended, elsewhere_since IS NOT NULL AS elsewhere,
       deletion_began_at IS NOT NULL AS deleting
     FROM tenants WHERE id = $1`,
    [tenantId],
  );
  return rows[0] ?? null;
}

/**
 * Refuses a tenant that cannot be moved now.
 * @throws StartError that states the reason.
 */
export function checkState(here: State, move: Move | null, tenantId: string, to: string): void {
  if (here.deleting) throw new StartError('The tenant is being deleted: run delete again to finish.');
  if (move && (move.tenant_id !== tenantId || move.cell !== to))
    throw new StartError(
      `The move of ${move.tenant_id} to ${move.cell} is not complete. Run that move again, or abort it with --abort.`,
    );
  if (here.elsewhere && !move)
    throw new StartError(
      `${here.name} was already moved to another cell. The cell directory states which cell serves it.`,
    );
  if (here.suspended && !here.elsewhere)
    throw new StartError(
      `${here.name} is suspended, so a move is not necessary. Export the tenant and import it into ${to}, or resume the tenant and move it.`,
    );
}

/** Returns the command that erases a tenant. A shell passes the quoted name unchanged. */
export function deletionCommand(tenantId: string, name: string): string {
  return `npm run tenant -- delete ${tenantId} --confirm '${name.replaceAll("'", `'\\''`)}'`;
}

/**
 * Refuses a move if the tenant already exists in the target, or if a tenant there has a name that looks the same. The caller must first check with `findArrival` that this
 * move has not created a copy of the tenant there.
 * @throws StartError that states what to do.
 */
export async function refuseExisting(
  target: pg.Client,
  { tenantId, name, to }: { tenantId: string; name: string; to: string },
): Promise<void> {
  const there = await stateOf(target, tenantId);
  if (!there) {
    const same = await tenantNamedLike(target, name);
    if (!same) return;
    throw new StartError(
      `The name ${name} is or looks like the name of ${same} in ${to}. Change one of the two names first.`,
    );
  }
  const exists = `${there.name} (${tenantId}) already exists in ${to}`;
  if (!there.elsewhere && !there.deleting)
    throw new StartError(
      `${exists}, but it is not the copy of this move. Compare the two tenants before you delete one of them.`,
    );
  const what = there.deleting ? 'its deletion has not finished' : 'it is the old copy of an earlier move';
  throw new StartError(`${exists}: ${what}. Delete it there first: ${deletionCommand(tenantId, there.name)}`);
}

const LIVE_KEYS = `
  SELECT k.id, k.start FROM api_keys k JOIN applications a ON a.id = k.application_id
  WHERE a.tenant_id = $1 AND k.revoked_at IS NULL AND least(k.expires_at, k.overlap_ends_at, 'infinity') > now()
  ORDER BY k.id`;

/**
 * Returns the first characters of each valid key of a tenant (`api_keys.start`). The cell directory can list these
 * characters, so that the proxy finds the tenant's new cell.
 * @throws StartError if the first characters of a key are not known.
 */
export async function startsOf(source: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await source.query<{ id: string; start: string | null }>(LIVE_KEYS, [tenantId]);
  const unknown = rows.filter(({ start }) => start === null).map(({ id }) => id);
  if (unknown.length > 0)
    throw new StartError(
      `The proxy cannot route some keys (${unknown.length}), because no server of this version has received a request with them: ${unknown.slice(0, 5).join(', ')}. For each of these keys, send a request with the key, or revoke the key.`,
    );
  return rows.flatMap(({ start }) => start ?? []);
}
