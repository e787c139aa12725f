import { expect } from 'vitest';
import type { Finding, Severity } from '@/lib/operations/doctor/findings';

/** The only finding must have this text and severity, and a fix, unless it is `ok`. */
export async function expectFound(
  found: Finding[] | Promise<Finding[]>,
  severity: Severity,
  text: string,
): Promise<void> {
  const findings = await found;
  const wanted = findings.filter((finding) => finding.text.includes(text));
  expect(
    wanted.map((finding) => finding.severity),
    JSON.stringify(findings),
  ).toEqual([severity]);
  for (const { fix } of wanted) expect(Boolean(fix)).toBe(severity !== 'ok');
}
