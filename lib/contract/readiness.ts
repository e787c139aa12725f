import { z } from 'zod';
import { boundedText } from './bounded-text';
import { idOf, issuedId, requiredOr } from './common';
import { testEventData } from './test-events';
import { line, MAX_INTEGER, shaped } from './text';
import { instant } from './times';

/** The User-Agent of the conformance suite. Its requests are no evidence of what a partner's code does (contract B21). */
export const SUITE_AGENT = 'partner-booking-conformance/1';

/** What a partner's own code has shown in TEST, in the order of the contract (B21). */
export const CRITERIA = ['lost_write', 'conflict', 'rate_limit', 'signature', 'clock'] as const;

export type Criterion = (typeof CRITERIA)[number];

const STATES = ['met', 'not_yet', 'failed'] as const;

/** Days for which a certificate is valid. */
export const CERTIFICATE_DAYS = 30;

const counted = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .max(MAX_INTEGER)
    .meta({ description, examples: [example] });

const evidence = z.strictObject({
  criterion: z.enum(CRITERIA).meta({ description: 'What is judged.', examples: ['lost_write'] }),
  state: z.enum(STATES).meta({
    description: 'By the latest evidence. `not_yet`: there is none among the newest requests.',
    examples: ['met'],
  }),
  at: instant.nullable().meta({ description: 'Time of the evidence.', examples: ['2026-09-01T08:00:00.000Z'] }),
  request_id: issuedId('request').nullable().meta({ description: 'The request that is the evidence.' }),
});

const conformance = z.strictObject({
  at: instant.meta({ description: 'When the suite reported.', examples: ['2026-09-01T08:00:00.000Z'] }),
  passed: counted('Checks that passed, as the suite reported.', 120),
  failed: counted('Checks that failed, as the suite reported.', 0),
  skipped: counted('Checks that were skipped, as the suite reported.', 1),
  calls: counted('Requests with the key, as the suite reported.', 240),
  seen: counted('Requests of the suite that the server has in its log for this run.', 240),
});

/** The score of an application from its traffic in TEST (contract B21). */
export const readiness = z.strictObject({
  application: z.strictObject({
    id: issuedId('application'),
    name: boundedText(200).meta({ ...line(200), description: 'Its name in TEST.', examples: ['Travel portal'] }),
  }),
  business: boundedText(200).meta({
    ...line(200),
    description: 'Name of the business in TEST.',
    examples: ['Studio Mitte'],
  }),
  environment: z.literal('TEST').meta({ description: 'Always TEST.' }),
  host: boundedText(300).meta({
    description: 'Origin of the TEST deployment.',
    examples: ['https://test.booking.example'],
    ...shaped('^https?://[!-~]+$', 300, 8),
  }),
  contract: z.literal('v1').meta({ description: 'The version of the contract.' }),
  criteria: z.array(evidence).length(CRITERIA.length).meta({ description: 'Each criterion once, in a fixed order.' }),
  met: z
    .int()
    .min(0)
    .max(CRITERIA.length)
    .meta({ description: 'The score: how many criteria are met.', examples: [4] }),
  conformance: conformance.nullable().meta({ description: 'The latest run of the conformance suite. Null: none.' }),
  issued_at: instant.meta({ description: 'When it was computed.', examples: ['2026-09-01T08:00:00.000Z'] }),
  expires_at: instant.meta({
    description: 'When the certificate expires.',
    examples: ['2026-10-01T08:00:00.000Z'],
  }),
});

export type Readiness = z.infer<typeof readiness>;

/** Characters of a certificate, which is a JWS in the compact form (RFC 7515). */
export const MAX_CERTIFICATE = 8_192;

/** Data of `GET /test/readiness` (contract B21). */
export const readinessData = z.strictObject({
  readiness,
  certificate: boundedText(MAX_CERTIFICATE).meta({
    description: 'The same, signed: a JWS in the compact form, for the owner of LIVE.',
    examples: ['eyJhbGciOiJFZERTQSJ9.eyJtZXQiOjR9.c2lnbmF0dXJl'],
    ...shaped('^[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+$', MAX_CERTIFICATE, 5),
  }),
});

/** Of a run with `--hostile`, with room for more checks. */
const MAX_COUNT = 100_000;
const COUNT = `must be a whole number from 0 to ${MAX_COUNT}`;

const reported = (description: string) =>
  z
    .int({ error: requiredOr(COUNT) })
    .min(0, COUNT)
    .max(MAX_COUNT, COUNT)
    .meta({ description, examples: [120] });

/** Body of `POST /test/conformance` (contract B21). */
export const conformanceBody = z.strictObject({
  first_request_id: idOf('request', 'The first request of the run. The server counts its requests from there.'),
  passed: reported('Checks that passed.'),
  failed: reported('Checks that failed.'),
  skipped: reported('Checks that were skipped.'),
  calls: reported('Requests with the key of the run.'),
});

/** Data of `POST /test/conformance`. */
export const conformanceResult = z.strictObject({ conformance });

/** Data of `POST /test/signature-checks`: the two events, in the order of their ids. */
export const signatureCheckData = z.strictObject({
  events: z.array(testEventData.shape.event).length(2).meta({ description: 'One of the two has a wrong signature.' }),
});
