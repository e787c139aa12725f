import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '@/lib/platform/smtp-url';

/** Milliseconds that one step, and the whole attempt, may take. A lease is longer. */
const STEP = 15_000;
const ATTEMPT = 60_000;

/** Milliseconds that a process that stops waits for the answer to a message. */
const STOPPING = 3_000;

/** The mail server. Tests set the authorities whose certificates are accepted, and the milliseconds of one step. */
export type Server = SmtpServer & { ca?: string; step?: number };

/**
 * How an attempt ended. `server` means that the mail server could not be used for any mail. `refused` means that it does
 * not take this one, now or, if `forever`, ever. `unanswered` means that the message was sent, but not answered.
 */
export type Outcome =
  | { result: 'sent' }
  | { result: 'server' | 'unanswered'; problem: string }
  | { result: 'refused'; forever: boolean; problem: string };

type Message = {
  from: string;
  to: string;
  raw: Buffer;
  /** Called when the mail server is ready for the message, before the first byte is sent. If it rejects, nothing is sent. */
  beforeData: () => Promise<void>;
};

function connect({ host, port, tls, ca, step = STEP }: Server, name: string): SMTPConnection {
  return new SMTPConnection({
    host,
    port,
    name,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    ...(ca && { tls: { ca } }),
    connectionTimeout: step,
    greetingTimeout: step,
    socketTimeout: step,
    dnsTimeout: step,
    socketCloseTimeout: 1_000,
    maxResponseSize: 65_536,
  });
}

/**
 * Sends a message. Ends within `ATTEMPT`.
 * @param signal ends the attempt: at once, or, if the message is being sent, after `STOPPING`.
 */
export async function sendMessage(server: Server, message: Message, signal?: AbortSignal): Promise<Outcome> {
  let begun = false;
  const outcome = await attempt(
    server,
    message.from,
    signal,
    () => begun,
    async (connection) => {
      const data = async function* () {
        await message.beforeData();
        begun = true;
        yield message.raw;
      };
      await new Promise<void>((resolve, reject) => {
        const stream = Readable.from(data(), { objectMode: false });
        stream.once('error', (error) => {
          reject(error);
          connection.close();
        });
        const envelope = { from: message.from, to: [message.to], size: message.raw.length };
        connection.send(envelope, stream, (error) => (error ? reject(error) : resolve()));
      });
    },
  );
  return outcome;
}

/** Connects to the mail server and signs in, without sending a message. Returns the problem, or null. */
export async function checkServer(server: Server, from: string): Promise<string | null> {
  const outcome = await attempt(
    server,
    from,
    undefined,
    () => false,
    async () => undefined,
  );
  return 'problem' in outcome ? outcome.problem : null;
}

async function attempt(
  server: Server,
  from: string,
  signal: AbortSignal | undefined,
  begun: () => boolean,
  work: (connection: SMTPConnection) => Promise<void>,
): Promise<Outcome> {
  const connection = connect(server, from.split('@')[1] ?? 'localhost');
  const stop = () => {
    setTimeout(() => connection.close(), begun() ? STOPPING : 0).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), ATTEMPT);
    connection.on('error', reject);
    connection.once('end', () => reject(Object.assign(new Error('closed'), { code: 'ECONNECTION' })));
  });
  failed.catch(() => undefined);
  signal?.addEventListener('abort', stop);
  const { user, password } = server;
  const steps = async () => {
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    if (user !== null) {
      const credentials = { user, pass: password ?? '' };
      await new Promise<void>((resolve, reject) =>
        connection.login({ credentials }, (error) => (error ? reject(error) : resolve())),
      );
    }
    await work(connection);
  };
  try {
    if (signal?.aborted) throw Object.assign(new Error('stopped'), { code: 'ECONNECTION' });
    await Promise.race([steps(), failed]);
    connection.quit();
    return { result: 'sent' };
  } catch (error) {
    connection.close();
    return outcomeOf(error, begun());
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

type SmtpError = { code?: string; responseCode?: number; command?: string };

/** Texts of the errors of nodemailer. The text of the mail server is not used, because it can contain anything. */
const TEXTS: Record<string, string> = {
  EAUTH: 'The mail server refused the user or the password of SMTP_URL',
  EDNS: 'The host of SMTP_URL cannot be found',
  ETIMEDOUT: 'The mail server did not answer in time',
  ETLS: 'The connection to the mail server could not be encrypted',
  ESOCKET: 'The connection to the mail server failed',
  ECONNECTION: 'The mail server closed the connection',
  EPROTOCOL: 'The mail server answered with something else than SMTP',
};

function outcomeOf(error: unknown, begun: boolean): Outcome {
  const { code = '', responseCode, command = '' } = (error instanceof Error ? error : {}) as SmtpError;
  const answer = responseCode ? ` (${responseCode})` : '';
  const isAnswer = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (begun && !(isAnswer && responseCode))
    return { result: 'unanswered', problem: 'The mail server did not answer after the message' };
  if (!isAnswer) return { result: 'server', problem: `${TEXTS[code] ?? 'The mail could not be sent'}${answer}` };
  if (command.startsWith('MAIL'))
    return { result: 'server', problem: `The mail server refused the sender SMTP_FROM${answer}` };
  const forever = responseCode !== undefined && responseCode >= 500;
  const what = code === 'EMESSAGE' || command === 'DATA' ? 'the message' : 'the recipient';
  const problem = `The mail server ${forever ? 'refused' : 'does not yet take'} ${what}${answer}`;
  return { result: 'refused', forever, problem };
}
