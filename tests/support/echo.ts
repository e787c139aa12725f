import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply } from './client';

/** Returns text that no answer contains by chance: what a test sends to see whether it comes back. */
export function marker(): string {
  return `zq${randomBytes(9).toString('hex')}`;
}

/** Asserts that neither body nor headers of an answer contain what was sent, in any case and also cut short. */
export function expectNoEcho({ text, headers }: Pick<Reply, 'text' | 'headers'>, sent: string): void {
  const whole = `${text}\n${Object.values(headers).join('\n')}`.toLowerCase();
  const piece = sent.slice(0, 12).toLowerCase();
  expect(whole.includes(piece), 'the answer repeats what was sent').toBe(false);
}
