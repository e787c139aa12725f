// `npm run rotate-secret`: finds the values that are still encrypted with SECRET_KEY_PREVIOUS, and encrypts them with
// SECRET_KEY. Servers with both settings keep running.
import { rotateSecret } from '@/lib/operations/rotation/rotate';
import { StartError } from '@/lib/platform/postgres/start-error';
import { findDatabase } from './start/running-database';
import { claimOfCommand, fileWith } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

/**
 * A start without SECRET_KEY would use the old key, which can no longer decrypt the data. Backups from before the
 * rotation still require it.
 */
const REMAINS = (file: string) =>
  `Keep SECRET_KEY set. ${file} still contains the old key: store the key with the backups that need it, and delete the line "secret_key" from the file.`;

async function rotate(run: Run): Promise<number> {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg !== '--back'))
    throw new StartError(
      'Unknown option. Usage: npm run rotate-secret, or npm run rotate-secret -- --back to return to the replaced key.',
    );
  const settings = readSettings();
  const { url } = await findDatabase(settings, run);
  const claim = claimOfCommand(settings);
  console.log('Encrypting with SECRET_KEY … You can stop this command and run it again at any time.');
  const count = await rotateSecret(url, claim, {
    say: (line) => console.log(line),
    signal: run.signal,
    back: args.includes('--back'),
  });
  console.log(`${count} values were encrypted again. All values are now encrypted with SECRET_KEY.`);
  console.log('Restart the servers without SECRET_KEY_PREVIOUS.');
  const file = fileWith(claim.previousKey, settings);
  if (file) console.log(REMAINS(file));
  return 0;
}

await supervise(rotate, 130);
