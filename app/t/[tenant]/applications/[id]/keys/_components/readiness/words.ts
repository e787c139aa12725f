import type { Translator } from '@/app/_components/language';
import type { Outputs } from '../../../../../_components/api-types';

export type Score = Extract<Outputs['readiness']['get'], { environment: 'TEST' }>['readiness'];

type ReadinessTranslator = Translator<'applications.readiness'>;

/** The colors of the states of a criterion. */
export const COLORS: Record<Score['criteria'][number]['state'], string> = {
  met: 'green',
  not_yet: 'gray',
  failed: 'red',
};

/** Returns the score as a sentence without its end: `4 of 5 criteria met`. */
export function scoreText(t: ReadinessTranslator, { met, criteria }: Score): string {
  return t('score', { met, count: criteria.length });
}

/** Returns what is known about the latest run of the conformance suite. */
export function runText(t: ReadinessTranslator, run: Score['conformance']): string {
  if (run === null) return t('noRun');
  const { passed, failed, skipped, calls, seen } = run;
  return t('run', { passed, failed, skipped, calls, seen });
}
