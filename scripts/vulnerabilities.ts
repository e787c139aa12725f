// `npm run check:vulnerabilities`: asks the npm registry for known vulnerabilities of the packages that a server uses. It is
// not part of `npm run check`, because it needs the registry.
import { execFile } from 'node:child_process';
import { z } from 'zod';
import { npmCommand } from './bootstrap/install.mjs';

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** SECURITY.md states in which time each severity is remedied. */
const FAILING = ['high', 'critical'];

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
});

const [npm = 'npm', ...before] = npmCommand();
const options = ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=20000'];
execFile(npm, [...before, ...options], { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT }, (_, stdout) => {
  const { success, data } = report.safeParse(parsed(stdout));
  if (!success) {
    // GitHub shows such a line as a warning of the run, which otherwise looks like one that has found nothing.
    const prefix = process.env.GITHUB_ACTIONS === 'true' ? '::warning::' : '';
    console.log(
      `${prefix}NOT CHECKED: the registry did not answer, so it is unknown whether packages have known vulnerabilities.`,
    );
    return;
  }
  const found = Object.entries(data.vulnerabilities);
  for (const [name, { severity, range, via }] of found) {
    const reasons = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`));
    console.log(`${severity.padEnd(8)} ${name} ${range}: ${reasons.join('; ')}`);
  }
  if (found.length === 0) console.log('No package that a server uses has a known vulnerability.');
  if (found.some(([, { severity }]) => FAILING.includes(severity))) process.exitCode = 1;
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
