// `npm run rotate-secret`: encrypts everything that was encrypted with SECRET_KEY_PREVIOUS with SECRET_KEY. Servers that
// were started with both settings keep running.
import { rotateSecret } from '@/lib/operations/rotation/rotate';
import { findDatabase } from './start/running-database';
import { claimOf, openSecrets } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function rotate(run: Run): Promise<number> {
  const settings = readSettings();
  const url = await findDatabase(settings, run);
  const claim = claimOf(settings, openSecrets(settings));
  console.log('Encrypting with SECRET_KEY; this command can be stopped and run again at any time …');
  const count = await rotateSecret(url, claim, { say: (line) => console.log(line), signal: run.signal });
  console.log(`${count} values were encrypted again. All values are now encrypted with SECRET_KEY.`);
  if (claim.previousKey) console.log('Restart the servers without SECRET_KEY_PREVIOUS.');
  return 0;
}

await supervise(rotate, 130);
