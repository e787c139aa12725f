'use client';

import { Secret, ShownOnce } from '../../../_components/shown-once';

const SNIPPET = `import { Webhook } from 'standardwebhooks';

// rawBody: the request body before JSON parsing.
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(rawBody, headers); // throws if forged`;

/** Shows a new signing secret once, with code snippets for developers. */
export function OneTimeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      what="secret"
      warning="This secret is shown only once. Anyone who has the secret can forge your events, so put it in the receiver’s secret store."
      onClose={onClose}
    >
      <Secret label="Signing secret" text={secret} copy="Copy secret" first />
      <Secret label="Line for an .env file" text={`WEBHOOK_SECRET=${secret}`} copy="Copy .env line" />
      <Secret label="Verify an event (Node.js)" text={SNIPPET} copy="Copy snippet">
        Events follow Standard Webhooks 1.0, which has libraries for other languages too.
      </Secret>
    </ShownOnce>
  );
}
