import { withoutSecrets } from '@/lib/platform/redact';

/** `wrong`: the server does not start, or a part of it does not work. */
export type Severity = 'ok' | 'warning' | 'wrong';

/** `fix` is a command or setting. */
export type Finding = { severity: Severity; text: string; fix?: string };

/** Returns at least one finding. The name is a topic, such as `clock`. */
export type Check = { name: string; run: () => Promise<Finding[]> };

const TIMEOUT = 15_000;

export const ok = (text: string): Finding => ({ severity: 'ok', text });
export const warning = (text: string, fix: string): Finding => ({ severity: 'warning', text, fix });
export const wrong = (text: string, fix: string): Finding => ({ severity: 'wrong', text, fix });

export type Named = Finding & { check: string };

/**
 * Words such as `booking` are also in commands and paths. They are the first that anyone guesses, so their removal would
 * hide nothing, but spoil the fixes. From 16 characters on, what `METRICS_TOKEN` needs at least, text meets a secret only
 * if it is one.
 */
const isOrdinary = (secret: string) =>
  secret.length < 4 || (secret.length < 16 && /^[a-z]+(?:[_-][a-z]+)*$/i.test(secret));

/** Removes an ordinary word only as the password of a URL. */
function without(text: string, secret: string): string {
  return isOrdinary(secret) ? text.replaceAll(`:${secret}@`, ':[…]@') : text.replaceAll(secret, '[…]');
}

/** Runs all checks at once. A check that throws or takes too long becomes a finding. `secrets` are removed. */
export async function runChecks(checks: Check[], secrets: readonly string[], timeout = TIMEOUT): Promise<Named[]> {
  const hide = (text: string) => withoutSecrets(secrets.reduce(without, text));
  const found = await Promise.all(
    checks.map(async ({ name, run }) => {
      const findings = await inTime(run, timeout);
      return findings.map(({ severity, text, fix }) => ({
        check: name,
        severity,
        text: hide(text),
        ...(fix ? { fix: hide(fix) } : {}),
      }));
    }),
  );
  return found.flat();
}

async function inTime(run: Check['run'], timeout: number): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const finding = wrong(`This check did not finish within ${timeout / 1000} seconds.`, 'Run the command again.');
    timer = setTimeout(() => resolve([finding]), timeout);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [wrong(`This check failed: ${reason}`, 'Correct the cause and run the command again.')];
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the lines to print, with fixes and the number of findings per severity. */
export function describeFindings(findings: readonly Named[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ severity, check, text, fix }) => [
    `${severity.padEnd(8)} ${check.padEnd(width)}  ${text}`,
    ...(fix ? [`${' '.repeat(9 + width)}  → ${fix}`] : []),
  ]);
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  const warnings = count('warning');
  const total = `${count('ok')} ok, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${count('wrong')} wrong`;
  return [...lines, '', `${total}.`];
}
