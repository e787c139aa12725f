import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Receiver, startReceiver } from '../receiver';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * A partner's HTTPS server. It runs on this machine, but its URL has a public address. Only a server under test with
 * the environment variables `settings` can reach it at this address.
 */
export type PublicPartner = Receiver & { settings: Record<string, string> };

/**
 * Starts a receiver on this machine. A server with the returned `settings` reaches the receiver at https://21.21.21.21.
 * A loopback address cannot be used, because LIVE refuses it. Connections to 21.21.21.21 never leave this machine.
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
