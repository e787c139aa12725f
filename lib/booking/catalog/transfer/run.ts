import type { AppError } from '@/lib/contract/errors/app-error';
import { busy } from '@/lib/platform/tenant-turns';
import { toAppError } from '@/lib/platform/unexpected';
import type { By } from '../edit/write';
import { applyImport, type Check, checkImport, type Plan } from './import';

/**
 * A result lists at most this many issues, and at most this many lines of the plan. Its counts also include the omitted
 * lines, and up to `MAX_ISSUES` issues.
 */
const MAX_LISTED = 500;

/**
 * An import of a document. If `basis` is null, the document is only checked. Otherwise, `basis` is `Plan.basis` of
 * the plan that the owner confirmed.
 */
export type ImportCall = { now: Date; by: By; requestId: string; text: string; basis: string | null };

/**
 * The result of a check or an import. The result of an import contains no issues, because a document with issues is
 * refused.
 */
export type ImportResult = Check & { issue_count: number };

/**
 * The arguments of the constructor of an `AppError`. An error loses its class when it is sent to another thread, so
 * these arguments are sent instead.
 */
export type Refusal = { code: AppError['code']; details: NonNullable<ConstructorParameters<typeof AppError>[1]> };

/** The result of an import or a check, or the error with which it was refused. */
export type ImportReply = { result: ImportResult } | { refusal: Refusal };

/** Runs an import or a check. */
export type ImportRunner = (call: ImportCall) => Promise<ImportReply>;

/** Runs an import or a check in this thread. */
export const runImport: ImportRunner = async (call) => {
  try {
    return { result: await resultOf(call) };
  } catch (error) {
    const { code, reason, fields, message, retryAfter } = toAppError(error, call.requestId, busy);
    return { refusal: { code, details: { reason, fields, message, ...(retryAfter !== undefined && { retryAfter }) } } };
  }
};

async function resultOf({ now, by, text, basis }: ImportCall): Promise<ImportResult> {
  const { issues, plan } =
    basis === null ? await checkImport(now, by, text) : { issues: [], plan: await applyImport(now, by, text, basis) };
  return { issues: issues.slice(0, MAX_LISTED), issue_count: issues.length, plan: plan && shortened(plan) };
}

const shortened = (full: Plan): Plan => ({ ...full, lines: full.lines.slice(0, MAX_LISTED) });
