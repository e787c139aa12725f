import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { changeOwn } from './own-change';
import { challengeFor, expectedOrigin, isChallengeFor, passkeyDomain } from './passkey-origin';
import { replaceCodes } from './recovery-codes';
import { hasSecondFactor, removeUnneededCodes } from './second-factor';
import type { Member } from './session';

/** Per user. */
export const MAX_PASSKEYS = 10;
const TOO_MANY = `exceeds the limit of ${MAX_PASSKEYS} passkeys; remove another passkey first`;

const METHOD = { method: 'passkey' };

const SERVICE = 'Partner Booking';

function idsOf(rows: readonly { credentialId: Uint8Array; transports: string[] }[]) {
  return rows.map(({ credentialId, transports }) => ({
    id: Buffer.from(credentialId).toString('base64url'),
    transports: transports as AuthenticatorTransport[],
  }));
}

/** Returns the browser's options. @throws AppError invalid_request above `MAX_PASSKEYS`; not_found for this origin. */
export async function startPasskey(now: Date, { userId, email, name, sessionId }: Member) {
  const rpID = passkeyDomain();
  if (rpID === null) throw notFound();
  const rows = await db().passkey.findMany({ where: { userId } });
  if (rows.length >= MAX_PASSKEYS) throw invalidField('response', TOO_MANY);
  return generateRegistrationOptions({
    rpName: SERVICE,
    rpID,
    userID: new Uint8Array(Buffer.from(userId)),
    userName: email,
    userDisplayName: name,
    challenge: new Uint8Array(Buffer.from(challengeFor(sessionId, now))),
    excludeCredentials: idsOf(rows),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
}

type Addition = { member: Member; name: string; response: RegistrationResponseJSON };

/**
 * Adds a passkey, and ends the user's other sessions. Returns recovery codes for a first second factor, or null.
 * @throws AppError invalid_request if the response is not valid, for a known passkey, or above `MAX_PASSKEYS`.
 */
export async function addPasskey(now: Date, { member, name, response }: Addition): Promise<string[] | null> {
  const { userId, sessionId } = member;
  const credential = await verifyNew(now, sessionId, response);
  if (!credential) throw invalidField('response', 'is not valid for this site');
  const { id, publicKey, counter, transports = [] } = credential;
  const row = { credentialId: new Uint8Array(Buffer.from(id, 'base64url')), publicKey, counter, transports };
  return changeOwn(now, member, { action: 'user.second_factor_added', after: METHOD }, async (tx) => {
    if ((await tx.passkey.count({ where: { userId } })) >= MAX_PASSKEYS) throw invalidField('response', TOO_MANY);
    if ((await tx.passkey.count({ where: { credentialId: row.credentialId } })) > 0)
      throw invalidField('response', 'is already added');
    const first = !(await hasSecondFactor(tx, userId));
    await tx.passkey.create({ data: { id: newId('psk'), userId, name, ...row, createdAt: now } });
    return first ? replaceCodes(tx, userId, now) : null;
  });
}

async function verifyNew(now: Date, holder: string, response: RegistrationResponseJSON) {
  const expectedRPID = passkeyDomain();
  if (expectedRPID === null) return null;
  const verified = await orNull(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => isChallengeFor(holder, challenge, now),
      expectedOrigin: expectedOrigin(response.response.clientDataJSON),
      expectedRPID,
      requireUserVerification: false,
    }),
  );
  return verified?.verified ? verified.registrationInfo.credential : null;
}

/** Removes a passkey, and ends the user's other sessions. @throws AppError not_found. */
export async function removePasskey(now: Date, member: Member, id: string): Promise<void> {
  const { userId } = member;
  await changeOwn(now, member, { action: 'user.second_factor_removed', after: METHOD }, async (tx) => {
    const { count } = await tx.passkey.deleteMany({ where: { id, userId } });
    if (count === 0) throw notFound();
    await removeUnneededCodes(tx, userId);
  });
}

/** Returns the options for a sign-in with a passkey, or null if the user has none or browsers allow none here. */
export async function passkeySignInOptions(now: Date, userId: string, holder: string) {
  const rpID = passkeyDomain();
  const rows = rpID === null ? [] : await db().passkey.findMany({ where: { userId } });
  if (rpID === null || rows.length === 0) return null;
  return generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(Buffer.from(challengeFor(holder, now))),
    allowCredentials: idsOf(rows),
    userVerification: 'preferred',
  });
}

type Proof = { userId: string; holder: string; response: string };

/** Verifies a passkey's response (JSON) at sign-in, for a challenge of `holder`, and records the use of the passkey. */
export async function takePasskey(now: Date, { userId, holder, response: text }: Proof): Promise<boolean> {
  const expectedRPID = passkeyDomain();
  if (expectedRPID === null) return false;
  const taken = await orNull(async () => {
    const response = JSON.parse(text) as AuthenticationResponseJSON;
    const credentialId = new Uint8Array(Buffer.from(response.id, 'base64url'));
    const row = await db().passkey.findUnique({ where: { credentialId, userId } });
    if (!row) return false;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => isChallengeFor(holder, challenge, now),
      expectedOrigin: expectedOrigin(response.response.clientDataJSON),
      expectedRPID,
      requireUserVerification: false,
      credential: { id: response.id, publicKey: new Uint8Array(row.publicKey), counter: Number(row.counter) },
    });
    if (!verified) return false;
    const unchanged = { id: row.id, counter: row.counter };
    const data = { counter: authenticationInfo.newCounter, lastUsedAt: now };
    return (await db().passkey.updateMany({ where: unchanged, data })).count === 1;
  });
  return taken ?? false;
}

/** The library throws if it rejects data from the browser. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (error) {
    log().debug({ err: error }, 'the response of a passkey was refused');
    return null;
  }
}
