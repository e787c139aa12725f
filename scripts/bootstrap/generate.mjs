import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runQuietly } from './run.mjs';

/**
 * Identifies the schema and the Prisma version of the client. The generator empties the client's directory, so the file
 * is outside.
 */
const stampFile = (/** @type {string} */ root) => join(root, 'lib', 'platform', 'generated', 'prisma.stamp');

function wantedStamp(/** @type {string} */ root) {
  const hash = createHash('sha256');
  for (const file of ['prisma/schema.prisma', 'node_modules/@prisma/client/package.json'])
    hash.update(readFileSync(join(root, file)));
  return `${hash.digest('hex')}\n`;
}

/** @param {string} root @returns {boolean} whether the generated client matches the schema and the Prisma version */
export function isGenerated(root) {
  const stamp = stampFile(root);
  if (!existsSync(stamp) || !existsSync(join(root, 'lib', 'platform', 'generated', 'prisma', 'client.ts')))
    return false;
  return readFileSync(stamp, 'utf8') === wantedStamp(root);
}

/**
 * Generates the Prisma client, without a database or the network.
 * @param {string} root
 * @param {(line: string) => void} say
 * @returns {Promise<string | null>} an error message, or null if the client was generated
 */
export async function generate(root, say) {
  say('Generating the database client …');
  const stamp = wantedStamp(root);
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  const command = [join(root, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'];
  const { code, output } = await runQuietly(process.execPath, command, { cwd: root, env });
  if (code !== 0)
    return `Generating the database client failed (prisma generate, exit code ${code}):\n${output.trim()}`;
  mkdirSync(dirname(stampFile(root)), { recursive: true });
  writeFileSync(stampFile(root), stamp);
  return null;
}
