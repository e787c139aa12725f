import type { Outputs } from '../../../../../_components/api-types';

export type Score = Extract<Outputs['readiness']['get'], { environment: 'TEST' }>['readiness'];

type Evidence = Score['criteria'][number];

/** For each criterion (contract B21): what it is, and what the partner does to meet it. */
export const CRITERIA: Record<Evidence['criterion'], { title: string; todo: string; failed: string }> = {
  lost_write: {
    title: 'Repeats a lost write with the same idempotency key',
    todo: 'Make a booking with the external reference test:lost_response, and repeat the request.',
    failed: 'A lost booking was made again with another idempotency key, so there are two.',
  },
  conflict: {
    title: 'Handles a 409',
    todo: 'Make a booking with test:slot_taken, then read the availability or book another slot.',
    failed: 'The same request was repeated again and again after a 409.',
  },
  rate_limit: {
    title: 'Handles a 429',
    todo: 'Make a booking with test:429, wait for Retry-After, and repeat the request.',
    failed: 'The next request came too early, or was limited again.',
  },
  signature: {
    title: 'Verifies signatures of webhooks',
    todo: 'Send POST /test/signature-checks with a receiver that answers a wrong signature with 4xx.',
    failed: 'The receiver did not accept the genuine event and refuse the forged one.',
  },
  clock: {
    title: 'Survives a change of the clock',
    todo: 'Advance the clock with POST /test/clock, then use the API.',
    failed: 'No request succeeded after the clock was advanced.',
  },
};

export const STATES: Record<Evidence['state'], { label: string; color: string }> = {
  met: { label: 'Met', color: 'green' },
  not_yet: { label: 'Not yet', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
};

/** Returns the score as a sentence without its end: `4 of 5 criteria met`. */
export function scoreText({ met, criteria }: Score): string {
  return `${met} of ${criteria.length} criteria met`;
}

/** Returns what is known about the latest run of the conformance suite. */
export function runText(run: Score['conformance']): string {
  if (run === null) return 'No run of the conformance suite is recorded.';
  const { passed, failed, skipped, calls, seen } = run;
  return `The conformance suite reported ${passed} passed, ${failed} failed, and ${skipped} skipped checks. The server has seen ${seen} of its ${calls} requests.`;
}
