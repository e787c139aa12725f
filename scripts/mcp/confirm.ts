import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { resultOf } from './result';

const ANSWER = 'confirm';
/** Seconds that a person has to answer. A code works for up to twice as long. */
const LIFETIME = 900;

const schema = z.object({ confirm: z.boolean().meta({ title: 'Do it' }) });

const secret = randomBytes(32);

/** Ties the answer of a person to the write that the person saw. */
const state = createRequestStateCodec<{ write: string }>({ key: secret, ttlSeconds: LIFETIME });

export const verifyState = state.verify;

export type Confirmation = 'confirmed' | 'declined' | CallToolResult | InputRequiredResult;

export type Ask = {
  /** Identifies the write. The answer to another one does not count. */
  write: string;
  /** Returns what the person sees. */
  question: () => Promise<string>;
  /** The code that the agent passed on from the person. */
  code: string | undefined;
  /** What the client declared at the start of its session, if it has one. */
  session: ClientCapabilities | undefined;
};

/** Asks a person to confirm a write, with a form if the client can show one, and otherwise with a code; or reads the answer. */
export async function confirmation(ctx: ServerContext, { write, question, code, session }: Ask): Promise<Confirmation> {
  // The protocol without sessions declares them with each request.
  const envelope = ctx.mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? session;
  if (!showsForms(capabilities)) return isCodeOf(write, code) ? 'confirmed' : askForCode(write, await question());
  const { inputResponses: responses, requestState } = ctx.mcpReq;
  const isOfThisWrite = requestState<{ write: string }>()?.write === write;
  const view = inputResponse(responses, ANSWER);
  if (isOfThisWrite && view.kind === 'elicit') {
    const answered = view.action === 'accept' ? acceptedContent(responses, ANSWER, schema) : undefined;
    return answered?.confirm === true ? 'confirmed' : 'declined';
  }
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit({ message: await question(), requestedSchema: schema }) },
    requestState: await state.mint({ write }),
  });
}

/** An empty declaration means forms. */
function showsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Of the present period of `LIFETIME`, or of the one before. Six digits are easy to repeat. */
function codeOf(write: string, periodsAgo: number): string {
  const period = Math.floor(Date.now() / (LIFETIME * 1_000)) - periodsAgo;
  const bytes = createHmac('sha256', secret).update(`${period} ${write}`).digest();
  return String(bytes.readUInt32BE() % 1_000_000).padStart(6, '0');
}

function isCodeOf(write: string, code: string | undefined): boolean {
  const given = Buffer.from(code ?? '');
  return [0, 1].some((ago) => {
    const expected = Buffer.from(codeOf(write, ago));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function askForCode(write: string, question: string): CallToolResult {
  const code = codeOf(write, 0);
  const advice = `Nothing was written. Show a person the question and the code, and wait. Only if this person repeats the code, call this tool again with the same arguments and confirmation_code.`;
  return resultOf({ data: { confirmation_required: { question, code }, advice } });
}
