// `npm run cells`: reads the file that states which cell serves which tenant. Prints the configuration of a proxy, or
// the origin of the cell that serves a tenant.
import { nginxOf } from '@/lib/operations/cells/nginx';
import { readDirectory } from '@/lib/operations/cells/rewrite';
import { cellOfTenant } from '@/lib/operations/cells/route';
import { isId } from '@/lib/platform/ids';
import { StartError } from '@/lib/platform/postgres/start-error';
import { supervise } from './start/supervise';

const USAGE = 'The commands are: npm run cells -- nginx FILE, npm run cells -- tenant FILE TENANT';

async function cells(): Promise<number> {
  const [command, path, tenantId, ...more] = process.argv.slice(2);
  const known = (command === 'nginx' && tenantId === undefined) || (command === 'tenant' && tenantId !== undefined);
  if (!known || path === undefined || more.length > 0) throw new StartError(USAGE);
  const directory = await readDirectory(path);
  if (tenantId === undefined) {
    process.stdout.write(nginxOf(directory));
    return 0;
  }
  if (!isId('ten', tenantId)) throw new StartError('TENANT must be the id of a tenant (ten_…).');
  const cell = cellOfTenant(directory, tenantId);
  if (!cell)
    throw new StartError(
      'The cell directory does not contain this tenant. npm run tenant -- list in each cell shows its tenants. Add the tenant to the directory.',
    );
  console.log(cell.origin);
  return 0;
}

await supervise(cells, 130);
