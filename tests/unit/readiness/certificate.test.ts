import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { certify, openCertificate } from '@/lib/booking/readiness/certificate';
import { CRITERIA, type Readiness } from '@/lib/contract/readiness';
import { signerFrom } from '@/lib/platform/ed25519';
import { newId } from '@/lib/platform/ids';

const DAY = 86_400_000;
const NOW = new Date('2026-09-14T08:00:00.000Z');
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds).toISOString();
const [ours, other] = [signerFrom(randomBytes(32)), signerFrom(randomBytes(32))];

const SCORE: Readiness = {
  application: { id: newId('app'), name: 'Travel portal' },
  business: 'Studio Mitte',
  environment: 'TEST',
  host: 'https://test.booking.example',
  contract: 'v1',
  criteria: CRITERIA.map((criterion) => ({ criterion, state: 'met', at: at(-DAY), request_id: newId('req') })),
  met: CRITERIA.length,
  conformance: { at: at(-DAY), passed: 120, failed: 0, skipped: 1, calls: 240, seen: 240 },
  issued_at: at(-DAY),
  expires_at: at(29 * DAY),
};
const FILE = certify(SCORE, ours);
const [head = '', body = '', signature = ''] = FILE.split('.');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const opened = (file: string, trusted = [ours.publicKey]) => openCertificate(file, NOW, trusted);

/** The same value with another last character, of which only some bits count. */
function respelled(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = [...alphabet].find((letter) => {
    const next = part.slice(0, -1) + letter;
    return next !== part && Buffer.from(next, 'base64url').equals(Buffer.from(part, 'base64url'));
  });
  return part.slice(0, -1) + twin;
}

test('a certificate is opened with the public key of the deployment that signed it', () => {
  expect(opened(FILE)).toEqual(SCORE);
  expect(opened(`\n ${FILE} \r\n`, [other.publicKey, ours.publicKey])).toEqual(SCORE);
});

test.each<[string, string, string, (string[] | undefined)?]>([
  ['nothing', '', 'not a whole readiness file'],
  ['another text', '{"met":5}', 'not a whole readiness file'],
  ['a file without its last character', FILE.slice(0, -1), 'not a whole readiness file'],
  ['a file without its last bytes', FILE.slice(0, -2), 'changed or cut off'],
  ['a file cut in the middle', FILE.slice(0, 200), 'not a whole readiness file'],
  ['a file with a fourth part', `${FILE}.${signature}`, 'not a whole readiness file'],
  ['a huge file', FILE + 'A'.repeat(9_000), 'not a whole readiness file'],
  ['a part with another spelling', `${head}.${body}.${respelled(signature)}`, 'not a whole readiness file'],
  ['no algorithm', `${encode({ typ: 'readiness+jws', alg: 'none', kid: ours.publicKey })}.${body}.`, 'not a whole'],
  ['an empty header', `${encode(null)}.${body}.${signature}`, 'not a whole readiness file'],
  [
    'another kind of JWS',
    `${encode({ typ: 'JWT', alg: 'EdDSA', kid: ours.publicKey })}.${body}.${signature}`,
    'not a whole',
  ],
  ['an unknown key', certify(SCORE, other), 'does not trust'],
  ['its own key under a trusted name', certify(SCORE, { ...other, publicKey: ours.publicKey }), 'changed or cut off'],
  ['a higher score', `${head}.${encode({ ...SCORE, met: 4 })}.${signature}`, 'changed or cut off'],
  ['a changed byte', `${head}.${body.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))}.${signature}`, ''],
  ['a payload of LIVE', certify({ ...SCORE, environment: 'LIVE' } as never, ours), 'another version'],
  ['a payload with a further field', certify({ ...SCORE, further: 1 } as never, ours), 'another version'],
  ['an expired file', certify({ ...SCORE, expires_at: at(0) }, ours), 'has expired'],
  ['a file from the future', certify({ ...SCORE, issued_at: at(DAY) }, ours), 'in the future'],
  ['a right file without a trusted key', FILE, 'TEST_READINESS_KEY', []],
])('%s is refused', (_, file, why, trusted) => {
  const problem = expect.objectContaining({ path: 'file', message: expect.stringContaining(why) });
  expect(() => opened(file, trusted)).toThrow(expect.objectContaining({ code: 'invalid_request', fields: [problem] }));
});
