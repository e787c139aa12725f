import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Receiver, startReceiver } from '../receiver';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * A partner's HTTPS server that appears to have a public address. `settings` are the environment variables with which a
 * server under test can reach the partner's server.
 */
export type PublicPartner = Receiver & { settings: Record<string, string> };

/**
 * Starts a receiver on this machine, which a server with `settings` reaches at https://21.21.21.21. The address is
 * public, because LIVE accepts no loopback address. Connections to this public address are routed to the receiver, so
 * they never leave this machine.
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
