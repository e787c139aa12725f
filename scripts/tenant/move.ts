import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { describeCounts } from '@/lib/operations/backup/file';
import { resolveDirectory } from '@/lib/operations/cells/rewrite';
import { EnvironmentError, isLostConnection } from '@/lib/operations/environment/connection';
import { abortMove } from '@/lib/operations/tenants/move/abort';
import { deletionCommand } from '@/lib/operations/tenants/move/check';
import { moveTenant } from '@/lib/operations/tenants/move/move';
import { StartError } from '@/lib/platform/postgres/start-error';
import { withLock } from '../bootstrap/lock.mjs';
import type { TenantCommand } from './command';
import type { Context } from './context';

type Command = Extract<TenantCommand, { action: 'move' | 'abort' }>;

/** Maximum duration, in milliseconds, of the command that reloads the proxy. */
const RELOAD_TIMEOUT = 10_000;

const REPEAT = 'No data is lost. Run the same command again. It continues where it stopped.';

/**
 * Moves a tenant to another cell, or aborts such a move. Returns the text to print.
 * @throws StartError if the command is refused, or if a connection to a database was lost.
 */
export async function moveText(command: Command, context: Context): Promise<string> {
  const { signal, say, targetUrl } = context;
  if (!targetUrl)
    throw new StartError(
      'Set TARGET_DATABASE_URL to a URL of the other cell’s database. The role in the URL must own that database.',
    );
  const explain = () => say(`The command was interrupted. ${REPEAT}`);
  signal.addEventListener('abort', explain);
  try {
    return command.action === 'abort'
      ? await abort(command, { ...context, targetUrl })
      : await move(command, { ...context, targetUrl });
  } catch (error) {
    throw isLost(error) ? new StartError(`A database closed a connection. ${REPEAT}`, { cause: error }) : error;
  } finally {
    signal.removeEventListener('abort', explain);
  }
}

// An EnvironmentError means that no connection could be opened. Its message already states the reason, so the error is
// not replaced. If a connection closes during a COPY, the stream throws an error with the code below.
const isLost = (error: unknown) =>
  (isLostConnection(error) && !(error instanceof EnvironmentError)) ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE');

type Moving = Context & { targetUrl: string };

async function abort({ tenantId }: Command, { ownerUrl, targetUrl, signal, say }: Moving): Promise<string> {
  const { name, cell, suspended, deleted } = await abortMove(
    { sourceUrl: ownerUrl, targetUrl, tenantId },
    { signal, say },
  );
  const rest = deleted ? ` Its copy in ${cell} was deleted: ${describeCounts(deleted)}.` : '';
  return `The move was aborted. ${name} (${tenantId}) is ${suspended ? 'suspended' : 'active'} here.${rest}`;
}

async function move(command: Extract<Command, { action: 'move' }>, context: Moving): Promise<string> {
  const { tenantId, to, reload } = command;
  const { ownerUrl, targetUrl, signal, say } = context;
  // The lock is named after the resolved path of the cell directory (a file), so that all paths to this file share the
  // lock.
  const directory = await resolveDirectory(command.directory);
  const { name, waited } = await moveTenant(
    { sourceUrl: ownerUrl, targetUrl, tenantId, directory, to },
    {
      signal,
      say,
      reload: reload === undefined ? undefined : () => reloadProxy(reload, say),
      exclusively: (work) => withLock(dirname(directory), `cells ${basename(directory)}`, waits(say), work),
    },
  );
  const wait = waited === null ? '' : ` Writes waited ${Math.ceil(waited)} ms.`;
  const next = reload === undefined ? ' Reload the proxy now.' : '';
  return `${name} (${tenantId}) is now in ${to}.${wait}${next} Delete the old copy in this cell later: ${deletionCommand(tenantId, name)}`;
}

const waits = (say: Context['say']) => () => say('Another command is writing the directory. Waiting until it ends …');

async function reloadProxy(command: string, say: Context['say']): Promise<void> {
  const child = spawn(command, { shell: true, stdio: 'inherit', timeout: RELOAD_TIMEOUT });
  const [code] = await once(child, 'exit').catch(() => [null]);
  if (code !== 0) say(`The command of --reload failed. Reload the proxy yourself now: ${command}`);
}
