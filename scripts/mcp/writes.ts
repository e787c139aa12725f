import { createHash } from 'node:crypto';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { cancelBody, createBookingBody, rescheduleBody } from '@/lib/contract/bookings';
import type { Booking, CreateBooking, RescheduleBooking } from '@/lib/contract/client';
import { type AppError, invalidField } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import type { Me } from '@/lib/contract/me';
import { type Api, type Outcome, refusalOf } from './api';
import { confirmation } from './confirm';
import { dryChange, dryCreate } from './dry-run';
import { resultOf } from './result';
import { writeArguments } from './schemas';

type Args = Record<string, unknown>;
type Result = CallToolResult | InputRequiredResult;

export type Settings = {
  api: Api;
  /** Whether a person must confirm each write. If false, the policy of the application decides. */
  confirm: boolean;
  /** Identifies the conversation of this connection. Empty if the transport cannot tell: equal writes are then the same. */
  conversation: string;
  /** Returns what the client declared at the start of its session, if it has one. */
  session: () => ClientCapabilities | undefined;
};

/** Returns whether a person must confirm each write, or the refusal of the API if that is unknown. */
async function mustAsk({ api, confirm }: Settings): Promise<boolean | Outcome> {
  if (confirm) return true;
  const { outcome } = await api.call((client) => client.readMe());
  if ('error' in outcome) return outcome;
  return (outcome.data as Partial<Me>).agents?.confirmation !== 'not_required';
}

const refuse = (error: AppError) => resultOf({ error: refusalOf(error) });

function splitWrite({ conversation_id, attempt, confirmation_code, dry_run, ...body }: Args) {
  return { own: writeArguments.safeParse({ conversation_id, attempt, confirmation_code, dry_run }), body };
}

/** Returns JSON in which the order of fields does not count, and neither do fields that are null (contract B8). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
    .join(',')}}`;
}

/**
 * Returns the idempotency key of a write: the same for the same arguments in the same conversation, so that an agent
 * that repeats a call never books twice (contract B8).
 */
function keyOf(conversation: string, tool: string, args: object): string {
  return `mcp-${createHash('sha256')
    .update(canonical([conversation, tool, args]))
    .digest('base64url')}`;
}

type Write = {
  tool: string;
  /** What the idempotency key depends on. */
  subject: object;
  question: () => Promise<string>;
  send: (idempotencyKey: string) => ReturnType<Api['call']>;
  dryRun: () => Promise<Outcome>;
};

async function write(
  settings: Settings,
  ctx: ServerContext,
  own: z.infer<typeof writeArguments>,
  { tool, subject, question, send, dryRun }: Write,
): Promise<Result> {
  const { api, conversation: connection, session } = settings;
  if (own.dry_run) return resultOf(await dryRun());
  const key = keyOf(own.conversation_id ?? connection, tool, { ...subject, attempt: own.attempt ?? 1 });
  const asks = await mustAsk(settings);
  if (typeof asks === 'object') return resultOf(asks);
  if (asks) {
    const answer = await confirmation(ctx, { write: key, question, code: own.confirmation_code, session: session() });
    if (answer === 'declined')
      return {
        content: [{ type: 'text', text: 'A person declined. Nothing was written. Do not repeat the call.' }],
        isError: true,
      };
    if (answer !== 'confirmed') return answer;
  }
  const { outcome, replayed } = await send(key);
  if ('error' in outcome || !replayed) return resultOf(outcome);
  // The stored response shows the booking as it was: it may have been canceled since then.
  const { reference } = (outcome.data as { booking: Booking }).booking;
  const { outcome: current } = await api.call((client) => client.readBooking(reference));
  return resultOf('error' in current ? outcome : { data: { ...current.data, repeated: true } });
}

/** The answer of a person must not count for anything that the person did not see. JSON shows line breaks as such. */
function alsoSent(fields: Record<string, unknown>): string {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  return Object.keys(sent).length === 0 ? '' : ` Also sent: ${JSON.stringify(sent)}`;
}

/** Books a slot for one customer, or says what the API would answer. */
export async function createBooking(settings: Settings, args: Args, ctx: ServerContext): Promise<Result> {
  const { own, body } = splitWrite(args);
  if (!own.success) return refuse(requestError(own.error));
  const parsed = createBookingBody.safeParse({ ...body, external_reference: body.external_reference ?? 'agent' });
  if (!parsed.success) return refuse(requestError(parsed.error));
  // A reference that the agent would invent anew for each attempt would turn a repetition into a second booking. The
  // parsed body is sent, so that another spelling of a phone number is the same write.
  const reference = body.external_reference ?? keyOf('', 'reference', parsed.data).slice(0, 24);
  const wanted = { ...parsed.data, external_reference: String(reference) };
  const { api } = settings;
  const { service_id: _, location_id: __, date, start_time, customer, external_reference: ___, ...others } = wanted;
  const { name, phone, consent_to_contact: ____, ...more } = customer;
  return write(settings, ctx, own.data, {
    tool: 'create',
    subject: wanted,
    question: async () =>
      `Book ${await api.namesOf(wanted)} on ${date} at ${start_time} for ${name}, ${phone}?` +
      alsoSent({ ...more, ...others, external_reference: body.external_reference }),
    send: (key) => api.call((client) => client.createBooking(wanted as CreateBooking, key)),
    dryRun: () => dryCreate(api, wanted),
  });
}

/** Cancels or moves a booking, or says what the API would answer. */
export async function changeBooking(settings: Settings, args: Args, ctx: ServerContext): Promise<Result> {
  const { own, body } = splitWrite(args);
  if (!own.success) return refuse(requestError(own.error));
  const { reference, action, ...rest } = body;
  if (typeof reference !== 'string') return refuse(invalidField('reference', 'is required'));
  if (action !== 'cancel' && action !== 'reschedule')
    return refuse(invalidField('action', 'must be cancel or reschedule'));
  const parsed = (action === 'cancel' ? cancelBody : rescheduleBody).safeParse(rest);
  if (!parsed.success) return refuse(requestError(parsed.error));
  const { api } = settings;
  const { expected_version, ...fields } = parsed.data;
  const { date: _, start_time: __, ...others } = { date: '', start_time: '', ...fields };
  const target = 'date' in parsed.data ? parsed.data : null;
  return write(settings, ctx, own.data, {
    tool: action,
    subject: { reference, ...parsed.data },
    question: async () => (await changeQuestion(api, reference, target)) + alsoSent(others),
    send: (key) =>
      api.call((client) =>
        target
          ? client.rescheduleBooking(reference, rest as RescheduleBooking, key)
          : client.cancelBooking(reference, parsed.data, key),
      ),
    dryRun: () => dryChange(api, { reference, expected_version, target }),
  });
}

async function changeQuestion(
  api: Api,
  reference: string,
  target: { date: string; start_time: string } | null,
): Promise<string> {
  const { outcome } = await api.call((client) => client.readBooking(reference));
  const verb = target ? 'Move' : 'Cancel';
  const to = target ? ` to ${target.date} at ${target.start_time}` : '';
  if ('error' in outcome) return `${verb} the booking ${reference}${to}?`;
  const { booking } = outcome.data as { booking: Booking };
  const { date, start_time, customer } = booking;
  return `${verb} ${await api.namesOf(booking)} on ${date} at ${start_time} for ${customer.name ?? 'a customer'}${to}?`;
}
