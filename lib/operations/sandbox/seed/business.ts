import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { TEST_CONTACT_DAYS } from '../../retention/settings';
import { sandboxId } from './ids';

/** The synthetic business of the sandbox. Its name is invented. */
export const TENANT = {
  id: SANDBOX_TENANT_ID,
  name: 'Musterlinde Studios',
  timeZone: 'Europe/Berlin',
  defaultLocale: 'en',
  locales: ['en', 'de', 'fr'],
  resetPolicy: 'DAILY',
  contactDays: TEST_CONTACT_DAYS,
} as const;

/** Their passwords are generated. */
export const PEOPLE = {
  owner: { id: sandboxId('usr', 1), email: 'owner@sandbox.example', name: 'Olga Inhaberin', role: 'OWNER' },
  support: { id: sandboxId('usr', 2), email: 'support@sandbox.example', name: 'Samuel Hilfreich', role: 'SUPPORT' },
} as const;
