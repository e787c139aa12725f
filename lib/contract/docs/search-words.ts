import { isNear } from '../errors/near-name';

/**
 * Words that readers type, with words of the pages that mean the same. Both sides are the beginnings or parts of words,
 * as the search matches them.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  agent: ['mcp'],
  ai: ['agent'],
  appointment: ['booking', 'slot'],
  auth: ['authorization', 'api key'],
  authentication: ['authorization', 'api key'],
  backoff: ['jitter'],
  calendar: ['availability'],
  cancellation: ['cancel'],
  csharp: ['client'],
  curl: ['quickstart'],
  deposit: ['refund'],
  dst: ['daylight'],
  email: ['customer'],
  firewall: ['addresses'],
  hold: ['reserve'],
  hook: ['webhook'],
  java: ['client'],
  language: ['locale'],
  library: ['client', 'sdk'],
  llm: ['agent'],
  mcp: ['agents'],
  merchant: ['business'],
  move: ['reschedule'],
  npm: ['client'],
  nuget: ['client'],
  overbooking: ['double booking'],
  package: ['client'],
  payment: ['refund', 'price'],
  poll: ['polling'],
  privacy: ['gdpr', 'customer data'],
  quota: ['rate limit'],
  reminder: ['upcoming'],
  repeat: ['retry', 'idempotency'],
  reservation: ['booking'],
  retry: ['retries'],
  sms: ['customer'],
  staff: ['specialist'],
  throttling: ['rate limit'],
  timeslot: ['slot'],
  token: ['api key'],
};

const MAX_DISTANCE = 2;

/** Returns how many characters of a word may be wrong. Short words have too many neighbors. */
export const tolerance = (word: string) => (word.length < 4 ? 0 : word.length < 7 ? 1 : MAX_DISTANCE);

/**
 * Returns the words to look for in place of a word of the query: the word itself and its synonyms. If no page contains
 * any of them, returns the words of the pages that differ least from it.
 * @param vocabulary all words of the pages, in lowercase
 */
export function alternatives(word: string, vocabulary: ReadonlySet<string>): string[] {
  const singular = word.replace(/s$/, '');
  const known = [word, ...(SYNONYMS[word] ?? SYNONYMS[singular] ?? [])];
  if (!/^[a-z0-9_-]+$/.test(word)) return known;
  if ([...vocabulary].some((one) => one.includes(word)) || known.length > 1) return known;
  const most = tolerance(word);
  const near = (distance: number) => [...vocabulary].filter((one) => isNear(word, one, distance));
  for (let distance = 1; distance <= most; distance += 1) {
    const found = near(distance);
    if (found.length > 0) return found.flatMap((one) => [one, ...(SYNONYMS[one] ?? [])]);
  }
  return known;
}
