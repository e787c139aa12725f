import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { nodeProblem } from '@/scripts/bootstrap/node-version.mjs';

describe('the Node version', () => {
  it('has the same range in package.json', async () => {
    const { engines } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(engines.node).toBe('>=20.19.0 <27');
  });

  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '26.12.1'])('%s is accepted', (version) => {
    expect(nodeProblem(version)).toBeNull();
  });

  it.each(['12.22.12', '18.20.8', '20.9.0', '20.18.3', '27.0.0', '100.0.0', ''])(
    '%s is refused with one sentence',
    (version) => {
      expect(nodeProblem(version)).toBe(`This project needs Node 20.19 to 26; this is Node ${version}.`);
    },
  );
});
