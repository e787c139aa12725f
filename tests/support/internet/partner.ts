import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Receiver, startReceiver } from '../receiver';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Runs on this machine, but has a public address, at which only a server with `settings` reaches it. */
export type PublicPartner = Receiver & { settings: Record<string, string> };

/**
 * A server with these `settings` reaches it at https://21.21.21.21, because LIVE refuses loopback addresses.
 * Connections never leave this machine.
 */
export async function startPublicPartner(): Promise<PublicPartner> {
  const tls = { cert: readFileSync(file('partner-cert.pem')), key: readFileSync(file('partner-key.pem')) };
  const receiver = await startReceiver(undefined, tls);
  const settings = {
    NODE_OPTIONS: `--import=${new URL('route.mjs', import.meta.url).href}`,
    NODE_EXTRA_CA_CERTS: file('partner-cert.pem'),
    PARTNER_PORT: new URL(receiver.url).port,
  };
  return { ...receiver, url: 'https://21.21.21.21/hooks', settings };
}
