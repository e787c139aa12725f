import type { LocationKey } from '../locations';
import type { ServiceKey } from '../services/all';
import type { Text, TimeOffSeed, WeeklyHours, WorkplaceSeed } from '../types';

export type SpecialistSeed = {
  readonly number: number;
  readonly displayName: string;
  readonly title: Text | null;
  readonly description: Text | null;
  readonly imageUrl: string | null;
  /** False for an unpublished specialist. */
  readonly published?: false;
  readonly workplaces: readonly WorkplaceSeed<LocationKey, ServiceKey>[];
  readonly breaks: readonly WeeklyHours[];
  readonly timeOff: readonly TimeOffSeed[];
};
