// `npm run check`: runs the checks in scripts/check/checks.ts in parallel.
import { CHECKS, runCheck } from './check/checks';

// Each running check listens for signals.
process.setMaxListeners(2 * CHECKS.length);

let failed = false;
for (const result of await Promise.all(CHECKS.map(runCheck))) {
  console.log(`${result.passed ? 'ok    ' : 'FAILED'} ${result.title} (${result.seconds} s)`);
  if (!result.passed) console.log(result.output);
  failed ||= !result.passed;
}
process.exitCode = failed ? 1 : 0;
