import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { isOlderRules, ZONE_RULES } from '@/lib/platform/time-zones';
import { writeRules } from '@/tests/support/other-rules';
import { bundleProgram } from '@/tests/support/program';

test('versions have the order of IANA', () => {
  const versions = ['2025z', '2026a', '2026e', '2026f', '2026z', '2026za', '2026zb', '2027a'];
  for (const [index, version] of versions.entries()) {
    expect(versions.filter((other) => isOlderRules(other, version))).toEqual(versions.slice(0, index));
  }
});

const PROGRAM = `const { ZONE_RULES, zoneOf, formatInstant } = await import('./lib/platform/time-zones/index.ts');
  const at = (day) => formatInstant(zoneOf('Asia/Kolkata'), Date.parse(day) / 60000).rfc3339;
  console.log(JSON.stringify([ZONE_RULES, at('2030-01-01T00:00Z'), at('2030-01-02T00:00Z')]));`;

test('only TEST uses the rules of TEST_ZONE_RULES', async () => {
  const rules = await writeRules('2099a', '2030-01-02', [{ name: 'Asia/Kolkata', minutes: 30 }]);
  onTestFinished(rules.remove);
  const program = await bundleProgram(PROGRAM);
  const read = async (settings: Record<string, string>) => {
    const env = { ...process.env, ...settings };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    return JSON.parse(stdout);
  };
  const released = [ZONE_RULES, '2030-01-01T05:30:00+05:30', '2030-01-02T05:30:00+05:30'];
  const [test, live, none] = await Promise.all([
    read({ ENVIRONMENT: 'TEST', TEST_ZONE_RULES: rules.file }),
    read({ ENVIRONMENT: 'LIVE', TEST_ZONE_RULES: rules.file }),
    read({ ENVIRONMENT: 'TEST', TEST_ZONE_RULES: '' }),
  ]);
  expect(test).toEqual(['2099a', '2030-01-01T05:30:00+05:30', '2030-01-02T06:00:00+06:00']);
  expect([live, none]).toEqual([released, released]);
}, 60_000);
