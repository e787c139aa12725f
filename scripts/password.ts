// `npm run password -- EMAIL`: issues a password that works for a day and only to set a new one, for example if the
// only owner has lost theirs, while the servers keep running. `--reset-second-factor` also removes the second factor.
import { parseArgs } from 'node:util';
import { StartError } from '@/lib/platform/postgres/start-error';
import { joinDatabase } from './start/prepare';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

const USAGE = 'Specify an email address: npm run password -- EMAIL [--reset-second-factor]';

function givenOptions(): { email: string; resetSecondFactor: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options: { 'reset-second-factor': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [email, ...rest] = positionals;
    if (email && rest.length === 0) return { email, resetSecondFactor: values['reset-second-factor'] };
  } catch {
    // An unknown option.
  }
  throw new StartError(USAGE);
}

async function password(run: Run): Promise<number> {
  const { email, resetSecondFactor } = givenOptions();
  const settings = readSettings();
  await joinDatabase(settings, run);
  // Imported after `joinDatabase` has set the environment variables that these modules read.
  const [{ issuePassword, ISSUED_HOURS }, { closeDb }] = await Promise.all([
    import('@/lib/access/owners/password'),
    import('@/lib/platform/db'),
  ]);
  const issued = await issuePassword(new Date(), { email, resetSecondFactor }).finally(closeDb);
  if (issued === null) throw new StartError('No member has this email address.');
  const factor = resetSecondFactor
    ? 'Any second factor was removed.'
    : 'The second factor, if there is one, is unchanged; --reset-second-factor removes it.';
  console.log(
    `The issued password is ${issued}. It works for ${ISSUED_HOURS} hours, and only to set a new password at the next sign-in. All sessions of the member have ended. ${factor}`,
  );
  return 0;
}

await supervise(password, 130);
