import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply } from './client';

/** A test checks that no response repeats it. */
export function marker(): string {
  return `zq${randomBytes(9).toString('hex')}`;
}

/** The first 12 characters of `sent`, in any letter case. */
export function expectNoEcho({ text, headers }: Pick<Reply, 'text' | 'headers'>, sent: string): void {
  const whole = `${text}\n${Object.values(headers).join('\n')}`.toLowerCase();
  const piece = sent.slice(0, 12).toLowerCase();
  expect(whole.includes(piece), 'the response repeats the sent text').toBe(false);
}
