import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Layout } from './layout';
import { clearOrphan } from './postmaster';

/** Marks the state of a sandbox: its data is synthetic, and may go when its data directory has gone. */
const MARK = 'sandbox';

const exists = async (path: string) => (await stat(path).catch(() => null)) !== null;

/**
 * Removes the clusters of deleted sandboxes. Only as root are they outside their data directory, where deleting that
 * does not delete them. What is not marked as a sandbox is never touched: its data directory may just be away.
 */
export async function pruneSandboxes(layout: Layout, synthetic: boolean): Promise<void> {
  if (!layout.owner) return;
  if (synthetic) await writeFile(join(layout.parent, MARK), '');
  const stateDir = dirname(layout.parent);
  const ours = await readFile(join(layout.parent, 'data-dir'), 'utf8');
  for (const name of await readdir(stateDir)) {
    const other = join(stateDir, name);
    if (other === layout.parent || !(await exists(join(other, MARK)))) continue;
    const dataDir = await readFile(join(other, 'data-dir'), 'utf8').catch(() => null);
    // One data directory has one cluster: another one of the same path is from before it was deleted.
    if (dataDir === null || (dataDir !== ours && (await exists(dataDir)))) continue;
    await clearOrphan(join(other, 'cluster'), () => {});
    await rm(other, { recursive: true, force: true });
  }
}
