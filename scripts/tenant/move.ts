import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { abortMove, moveTenant } from '@/lib/operations/tenants/move/move';
import { StartError } from '@/lib/platform/postgres/start-error';
import type { TenantCommand } from './command';
import type { Context } from './context';

type Command = Extract<TenantCommand, { action: 'move' | 'abort' }>;

/** Maximum milliseconds of the command that reloads the proxy. */
const RELOAD_TIMEOUT = 10_000;

/**
 * Moves a tenant to another cell, or aborts such a move. Returns the text to print.
 * @throws StartError if the command is refused.
 */
export async function moveText(command: Command, { ownerUrl, targetUrl, signal, say }: Context): Promise<string> {
  if (!targetUrl)
    throw new StartError('Set TARGET_DATABASE_URL to a URL of the other cell’s database, with the role that owns it.');
  const { tenantId } = command;
  const options = { sourceUrl: ownerUrl, targetUrl, tenantId };
  if (command.action === 'abort') {
    const { name, copied, cell } = await abortMove(options, { signal, say });
    const rest = copied ? ` Its copy in ${cell} has no access: npm run tenant -- delete ${tenantId} there.` : '';
    return `The move was aborted. ${name} (${tenantId}) is active here.${rest}`;
  }
  const { directory, to, reload } = command;
  const run = reload === undefined ? undefined : () => reloadProxy(reload, say);
  const { name, waited } = await moveTenant({ ...options, directory, to }, { signal, say, reload: run });
  const wait = waited === null ? '' : ` Writes waited ${Math.ceil(waited)} ms.`;
  const next = reload === undefined ? ' Reload the proxy now.' : '';
  return `${name} (${tenantId}) lives in ${to}.${wait}${next} Erase it here later: npm run tenant -- delete ${tenantId}`;
}

async function reloadProxy(command: string, say: Context['say']): Promise<void> {
  const child = spawn(command, { shell: true, stdio: 'inherit', timeout: RELOAD_TIMEOUT });
  const [code] = await once(child, 'exit').catch(() => [null]);
  if (code !== 0) say(`The command of --reload failed. Reload the proxy yourself now: ${command}`);
}
