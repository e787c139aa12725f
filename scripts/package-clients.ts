// `npm run package:clients -- FOLDER`: builds the packages in clients/ whose languages are installed, in a new folder.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';
import { buildPackage, clientPackages, missingTool } from './client/packages';
import { supervise } from './start/supervise';

async function packageClients(): Promise<number> {
  const [folder, ...more] = process.argv.slice(2);
  if (!folder || more.length > 0) throw new StartError('Specify a folder: npm run package:clients -- FOLDER');
  const path = resolve(folder);
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new StartError(`${path} is not empty. Specify an empty or new folder.`);
  for (const one of await clientPackages()) {
    const missing = await missingTool(one);
    if (missing) console.log(`not built  ${one.name}: needs ${missing}`);
    else console.log(`built      ${one.name}: ${await buildPackage(one, join(path, one.folder))}`);
  }
  return 0;
}

await supervise(packageClients, 130);
