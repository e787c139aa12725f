// `npm run conformance -- --base-url … --key …`: checks any deployment against the contract over HTTP. Also published
// as the single file /docs/conformance.mjs.
import { readOptions, USAGE, UsageError } from './conformance/options';
import { runSuite } from './conformance/run';

/** All checks passed, a check failed, or the suite could not run. */
const [PASSED, FAILED, UNUSABLE] = [0, 1, 2];

async function run(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(USAGE);
    return PASSED;
  }
  const { failed } = await runSuite(readOptions(args), (line) => console.log(line));
  return failed > 0 ? FAILED : PASSED;
}

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  return UNUSABLE;
});
