// `npm run cells`: reads the file that states which cell serves which key, and prints the configuration of a proxy.
import { nginxOf, readDirectory } from '@/lib/operations/cells';
import { StartError } from '@/lib/platform/postgres/start-error';
import { supervise } from './start/supervise';

async function cells(): Promise<number> {
  const [path, ...more] = process.argv.slice(2);
  if (path === undefined || more.length > 0) throw new StartError('Specify a file: npm run cells -- FILE');
  process.stdout.write(nginxOf(await readDirectory(path)));
  return 0;
}

await supervise(cells, 130);
