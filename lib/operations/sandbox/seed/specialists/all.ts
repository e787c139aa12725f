import { TEAMS_ABROAD } from './abroad';
import { KREUZBERG_TEAM } from './kreuzberg';
import { MITTE_TEAM } from './mitte';
import type { SpecialistSeed } from './specialist';

export const SPECIALISTS: readonly SpecialistSeed[] = [...MITTE_TEAM, ...KREUZBERG_TEAM, ...TEAMS_ABROAD];
