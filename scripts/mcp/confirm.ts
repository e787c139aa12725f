import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const ANSWER = 'confirm';

const schema = z.object({ confirm: z.boolean().meta({ title: 'Do it' }) });

/** Ties the answer of a person to the write that the person saw. */
const state = createRequestStateCodec<{ write: string }>({ key: randomBytes(32), ttlSeconds: 900 });

export const verifyState = state.verify;

export type Confirmation = 'confirmed' | 'declined' | InputRequiredResult;

/**
 * Asks a person to confirm a write, or reads the answer.
 * @param write identifies the write; the answer to another one does not count
 * @param question returns what the person sees
 */
export async function confirmation(
  ctx: ServerContext,
  write: string,
  question: () => Promise<string>,
): Promise<Confirmation> {
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
