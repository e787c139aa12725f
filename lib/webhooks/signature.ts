import type { Webhook } from 'standardwebhooks';

type Message = { eventId: string; payload: string; at: Date; attempt: number };

/**
 * Returns the headers of an attempt. They contain one signature for each valid secret (Standard Webhooks 1.0,
 * contract B11). The signature with the current secret comes first. `webhook-id` is the event id, which is the same
 * in every retry and replay.
 */
export function signedHeaders({ eventId, payload, at, attempt }: Message, signers: Webhook[]): Record<string, string> {
  const signatures = signers.map((signer) => signer.sign(eventId, at, payload));
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'partner-booking-webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
    'webhook-attempt': String(attempt),
  };
}
