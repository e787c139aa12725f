import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { parseSmtpUrl } from '@/lib/platform/smtp-url';
import { until } from './until';

/** A message that the mail server got completely. */
export type ReceivedMail = { from: string; to: string[]; raw: string; text: string; secure: boolean };

/** What the mail server does. An error with `responseCode` is its answer. */
export type Behavior = {
  onRcptTo?: (address: string) => Error | null;
  /** Called with the complete message. `hang` gives no answer, and `die` ends the connection without one. */
  onData?: (mail: ReceivedMail) => Error | null | 'hang' | 'die';
};

/** Returns an answer that refuses a command. */
export function refusal(responseCode: number): Error {
  return Object.assign(new Error('No, says a@b.example'), { responseCode });
}

/** Starts a real mail server on loopback. */
export async function startMailServer(behavior: Behavior = {}, options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const current = { ...behavior };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onRcptTo: ({ address }, _, done) => done(current.onRcptTo?.(address) ?? null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('latin1');
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
          text: decodedText(raw),
          secure: session.secure,
        };
        received.push(mail);
        const answer = current.onData?.(mail) ?? null;
        if (answer === 'die') for (const connection of server.connections) connection.close();
        else if (answer !== 'hang') done(answer);
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://127.0.0.1:${port}`;
  return {
    url,
    /** The settings of a deployment that uses this server. */
    settings: { SMTP_URL: url, SMTP_FROM: 'booking@platform.example' },
    smtp: { server: { ...parseSmtpUrl(url), step: 1_000 }, from: 'booking@platform.example' },
    received,
    /** Changes what the server does. */
    behave: (next: Behavior) => Object.assign(current, { onRcptTo: undefined, onData: undefined }, next),
    /** Waits for the mail with the number `count` to an address that contains a word, and returns it. */
    mailTo: async (address: string, count = 1, word = ''): Promise<ReceivedMail> => {
      const of = async () => received.filter(({ to, text }) => to.includes(address) && text.includes(word));
      const mails = await until(of, ({ length }) => length >= count);
      const mail = mails[count - 1];
      if (!mail) throw new Error('no mail');
      return mail;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Returns the plain text of a message. */
function decodedText(raw: string): string {
  const [, head = '', body = ''] =
    /content-type: text\/plain[^\r]*\r\n((?:[^\r]+\r\n)*)\r\n([\s\S]*?)\r\n--/i.exec(raw) ?? [];
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  const plain = /quoted-printable/i.test(head)
    ? body
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : body;
  return Buffer.from(plain, 'latin1').toString('utf8');
}

/** Returns the only link of a mail whose path begins with `path`. */
export function linkIn({ text }: ReceivedMail, path: string): string {
  const found = text.split(/\s+/).filter((word) => URL.canParse(word) && new URL(word).pathname.startsWith(path));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} links`);
  return found[0];
}
