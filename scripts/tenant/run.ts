import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { IssuedInvitation } from '@/lib/access/owners/invitations';
import { AppError } from '@/lib/contract/errors/app-error';
import { describeCounts } from '@/lib/operations/backup/file';
import { requireOneDatabase } from '@/lib/operations/environment/grants';
import { addTenant, inviteOwner } from '@/lib/operations/tenants/add';
import { deleteTenant, SETTLE } from '@/lib/operations/tenants/delete';
import { exportTenant } from '@/lib/operations/tenants/export';
import { importTenant } from '@/lib/operations/tenants/import';
import { changeLimits } from '@/lib/operations/tenants/limits';
import { type DeletionLine, listDeletions, listTenants, type TenantLine } from '@/lib/operations/tenants/list';
import { verifyExport } from '@/lib/operations/tenants/signed-file';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { env } from '@/lib/platform/env';
import { currentDirectUrl } from '@/lib/platform/postgres/current-url';
import { StartError } from '@/lib/platform/postgres/start-error';
import { keepLink } from '../start/setup-link';
import { optionProblem, type TenantCommand } from './command';

type Context = {
  dataDir: string;
  /** With the role that owns the tables, if the command has one. */
  ownerUrl: string;
  now: Date;
  /** Milliseconds for which `suspend --moving` waits for running requests. */
  settle?: number;
  signal: AbortSignal;
  say: (line: string) => void;
};

/** Runs a command on the tenants of the database and returns the text to print. @throws StartError if the command is refused. */
export async function runCommand(command: TenantCommand, context: Context): Promise<string> {
  try {
    return await run(command, context);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found')
      throw new StartError('There is no tenant with this ID. To see the IDs, run npm run tenant -- list.');
    throw new StartError(error.fields.map(({ path, message }) => optionProblem(path, message)).join('\n'));
  }
}

async function run(command: TenantCommand, context: Context): Promise<string> {
  const { dataDir, now } = context;
  if (command.action === 'verify') return verify(command);
  if (command.action === 'import') return importText(command.path, context);
  if (command.action === 'export') return exportText(command, context);
  if (command.action === 'list')
    return command.deleted
      ? deletionsText(await listDeletions(command.text))
      : tenantsText(await listTenants(command.text));
  if (command.action === 'delete') return deletionText(command, context);
  if (command.action === 'add') {
    const { tenantId, invitation } = await addTenant(now, command.tenant);
    return `Added ${command.tenant.business_name} (${tenantId}).\n${linkText(dataDir, command.tenant.owner, invitation)}`;
  }
  const { tenantId } = command;
  if (command.action === 'invite')
    return linkText(dataDir, command.owner, await inviteOwner(now, tenantId, command.owner));
  if (command.action === 'limit') return limitsText(tenantId, await changeLimits(now, tenantId, command.limits));
  const suspended = command.action === 'suspend';
  const moving = command.action === 'suspend' && command.moving;
  const { name, changed, since } = await setTenantSuspended(now, tenantId, suspended, moving, context.signal);
  if (moving) return movingText(`${name} (${tenantId})`, context);
  const state = suspended ? 'suspended' : 'active';
  if (!changed) return `${name} (${tenantId}) is already ${state}${since ? `, since ${since.toISOString()}` : ''}.`;
  return `${name} (${tenantId}) is ${state}. Every server applies this within one second.`;
}

/** An export then contains the writes that servers accepted before. */
async function movingText(tenant: string, { say, signal, settle = SETTLE }: Context): Promise<string> {
  say(`Partners of ${tenant} get a 503. Waiting ${settle / 1000} s for running requests …`);
  await delay(settle, undefined, { signal });
  return `${tenant} is ready to be exported. To end the move instead: npm run tenant -- resume`;
}

async function verify({ path, signer }: Extract<TenantCommand, { action: 'verify' }>): Promise<string> {
  const { tenant, created_at, readable } = await verifyExport(path, signer);
  const format = readable ? 'readable' : 'sealed';
  return `The signature is valid. ${path} is the ${format} export of ${tenant.name} (${tenant.id}), as of ${created_at}.`;
}

async function importText(path: string, { now, signal, say, ownerUrl }: Context): Promise<string> {
  await requireOneDatabase(ownerUrl, currentDirectUrl());
  const { id, name, counts, starts } = await importTenant(now, ownerUrl, path, signal, { say });
  const imported = `Imported ${name} (${id}): ${describeCounts(counts)}. The tenant is suspended. To resume it: npm run tenant -- resume ${id}`;
  return [imported, ...directoryLines(starts)].join('\n');
}

/** For the cell directory, if this deployment is a cell. */
function directoryLines(starts: readonly (string | null)[]): string[] {
  const cell = env().CELL;
  const known = starts.filter((start) => start !== null);
  if (!cell || starts.length === 0) return [];
  const lines = [`Add to "keys" in the cell directory:`, ...known.map((start) => `  "${start}": "${cell}"`)];
  const missing = starts.length - known.length;
  return missing === 0
    ? lines
    : [...lines, `A proxy cannot route ${missing} of the keys, which are older. Replace them.`];
}

async function exportText(command: Extract<TenantCommand, { action: 'export' }>, context: Context): Promise<string> {
  const { now, signal, say } = context;
  const { name, counts, signer } = await exportTenant(now, currentDirectUrl(), command, signal, { say });
  const warning = command.readable
    ? 'The file contains contacts in plain text. Encrypt it before you hand it over, and delete your copy.'
    : 'The file contains keyed hashes and encrypted values. Only a deployment with the same SECRET_KEY can use them.';
  return `${command.path}: ${name} (${command.tenantId}), ${describeCounts(counts)}, signed by ${signer}. ${warning}`;
}

function limitsText(tenantId: string, { name, limits }: Awaited<ReturnType<typeof changeLimits>>): string {
  const { max_applications, max_locations, max_requests_per_minute } = limits;
  const shown = [
    `applications: ${max_applications ?? 'no limit'}`,
    `locations: ${max_locations ?? 'no limit'}`,
    `requests per minute: ${max_requests_per_minute ?? 'no limit'}`,
  ];
  return `Limits of ${name} (${tenantId}): ${shown.join(', ')}.`;
}

function linkText(dataDir: string, owner: string, { id, link, expires_at }: IssuedInvitation): string {
  const kept = keepLink(join(dataDir, `invitation-${id}`), link);
  const until = `It works once, until ${expires_at.toISOString()}.`;
  return 'link' in kept
    ? `Send this link to ${owner}, who becomes the owner. ${until}\n${kept.link}`
    : `The link for ${owner}, who becomes the owner, is in ${kept.file}. ${until} Send the link, then delete the file.`;
}

async function deletionText(command: Extract<TenantCommand, { action: 'delete' }>, context: Context): Promise<string> {
  const { now, signal, say } = context;
  const { name, rows, finishedAt, again } = await deleteTenant(now, currentDirectUrl(), command, { say, signal });
  const tenant = `${name} (${command.tenantId})`;
  const counts = Object.entries(rows).filter(([, count]) => count > 0);
  return again
    ? `${tenant} was already deleted at ${finishedAt.toISOString()}.`
    : `${tenant} is deleted: ${describeCounts(Object.fromEntries(counts))}.`;
}

function tenantsText({ tenants, more }: { tenants: TenantLine[]; more: boolean }): string {
  if (tenants.length === 0) return 'No tenants.';
  const rows = tenants.map(({ id, name, created_at, members, applications, ...state }) => [
    id,
    statusOf({ members, ...state }),
    created_at.toISOString().slice(0, 10),
    String(members),
    String(applications),
    name,
  ]);
  return tableOf([['ID', 'Status', 'Created', 'Members', 'Applications', 'Name'], ...rows], more);
}

function statusOf({
  suspended_at,
  moving,
  deleting,
  members,
}: Pick<TenantLine, 'suspended_at' | 'moving' | 'deleting' | 'members'>): string {
  if (deleting) return 'deletion not finished: run delete again';
  if (suspended_at) return `${moving ? 'moving' : 'suspended'} since ${suspended_at.toISOString()}`;
  return members === 0 ? 'active, no member yet' : 'active';
}

function deletionsText({ deletions, more }: { deletions: DeletionLine[]; more: boolean }): string {
  if (deletions.length === 0) return 'No deleted tenants.';
  const rows = deletions.map(({ tenant_id, name, began_at, finished_at, rows: count }) => [
    tenant_id,
    began_at.toISOString(),
    finished_at?.toISOString() ?? 'not finished',
    String(count),
    name,
  ]);
  return tableOf([['ID', 'Began', 'Finished', 'Rows', 'Name'], ...rows], more);
}

/** The name is last, because its width varies most. */
function tableOf(table: string[][], more: boolean): string {
  const last = (table[0]?.length ?? 0) - 1;
  const widths = Array.from({ length: last }, (_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [...lines, ...(more ? ['Not all tenants are shown. Specify a part of the name.'] : [])].join('\n');
}
