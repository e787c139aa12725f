import { describe, expect, it } from 'vitest';
import { nodeProblem } from '@/scripts/bootstrap/node-version.mjs';

describe('the Node version', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '100.0.0'])('%s is accepted', (version) => {
    expect(nodeProblem(version)).toBeNull();
  });

  it.each(['12.22.12', '18.20.8', '20.9.0', '20.18.3', ''])('%s is refused with one sentence', (version) => {
    expect(nodeProblem(version)).toBe(`This project needs Node 20.19 or newer; this is Node ${version}.`);
  });
});
