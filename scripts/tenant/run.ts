import { join } from 'node:path';
import type { IssuedInvitation } from '@/lib/access/owners/invitations';
import { AppError } from '@/lib/contract/errors/app-error';
import { addTenant, inviteOwner } from '@/lib/operations/tenants/add';
import { changeLimits } from '@/lib/operations/tenants/limits';
import { listTenants, type TenantLine } from '@/lib/operations/tenants/list';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { StartError } from '@/lib/platform/postgres/start-error';
import { keepLink } from '../start/setup-link';
import { optionProblem, type TenantCommand } from './command';

/**
 * Runs a command on the tenants of the database and returns the text to print.
 * @throws StartError if the command is refused.
 */
export async function runCommand(command: TenantCommand, dataDir: string, now: Date): Promise<string> {
  try {
    return await run(command, dataDir, now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found')
      throw new StartError('There is no tenant with this ID. npm run tenant -- list shows the IDs.');
    throw new StartError(error.fields.map(({ path, message }) => optionProblem(path, message)).join('\n'));
  }
}

async function run(command: TenantCommand, dataDir: string, now: Date): Promise<string> {
  if (command.action === 'list') return tableOf(await listTenants(command.text));
  if (command.action === 'add') {
    const { tenantId, invitation } = await addTenant(now, command.tenant);
    return `Added ${command.tenant.business_name} (${tenantId}).\n${linkText(dataDir, command.tenant.owner, invitation)}`;
  }
  const { tenantId } = command;
  if (command.action === 'invite')
    return linkText(dataDir, command.owner, await inviteOwner(now, tenantId, command.owner));
  if (command.action === 'limit') return limitsText(tenantId, await changeLimits(now, tenantId, command.limits));
  const suspended = command.action === 'suspend';
  const { name, changed, since } = await setTenantSuspended(now, tenantId, suspended);
  const state = suspended ? 'suspended' : 'active';
  if (!changed) return `${name} (${tenantId}) was already ${state}${since ? ` since ${since.toISOString()}` : ''}.`;
  return `${name} (${tenantId}) is ${state}. Every server applies this within one second.`;
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

/** Returns the lines of a table with aligned columns. The name is last, because its width varies most. */
function tableOf({ tenants, more }: { tenants: TenantLine[]; more: boolean }): string {
  if (tenants.length === 0) return 'No tenants.';
  const rows = tenants.map(({ id, name, created_at, suspended_at, members, applications }) => [
    id,
    suspended_at ? `suspended since ${suspended_at.toISOString()}` : members === 0 ? 'active, no member yet' : 'active',
    created_at.toISOString().slice(0, 10),
    String(members),
    String(applications),
    name,
  ]);
  const table = [['ID', 'Status', 'Created', 'Members', 'Applications', 'Name'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [...lines, ...(more ? ['There are more. Specify a part of the name.'] : [])].join('\n');
}
