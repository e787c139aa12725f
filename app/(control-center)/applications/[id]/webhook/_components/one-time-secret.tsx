'use client';

import { Secret, ShownOnce } from '../../../_components/shown-once';

const SNIPPET = `import { Webhook } from 'standardwebhooks';

// rawBody: the body as it came, before any JSON parser.
const webhook = new Webhook(process.env.PARTNER_WEBHOOK_SECRET);
const event = webhook.verify(rawBody, headers); // throws if forged`;

/** A new secret, the only time it is shown, with what a developer pastes first. */
export function OneTimeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      what="secret"
      warning="This is the only time this secret is shown. Whoever has it can forge your events: put it into the receiver’s secret store."
      onClose={onClose}
    >
      <Secret label="Signing secret" text={secret} copy="Copy the secret" first />
      <Secret label="Line for an .env file" text={`PARTNER_WEBHOOK_SECRET=${secret}`} copy="Copy the .env line" />
      <Secret label="Verify an event (Node.js)" text={SNIPPET} copy="Copy the snippet">
        Signed as Standard Webhooks 1.0: its libraries for other languages verify it too.
      </Secret>
    </ShownOnce>
  );
}
