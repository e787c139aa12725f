import type { AppError } from '@/lib/contract/errors/app-error';
import { busy } from '@/lib/platform/tenant-scope';
import { toAppError } from '@/lib/platform/unexpected';
import type { By } from '../edit/write';
import { applyImport, type Check, checkImport, type Plan } from './import';

/** Issues and lines of the plan. Counts also include the omitted ones, up to `MAX_ISSUES` issues. */
const MAX_LISTED = 500;

/** If `basis` is null, the document is only checked. Otherwise, it is `Plan.basis` of the confirmed plan. */
export type ImportCall = { now: Date; by: By; requestId: string; text: string; basis: string | null };

/** A document with issues is refused by an import. */
export type ImportResult = Check & { issue_count: number };

/** An `AppError` loses its class between threads, so its constructor's arguments are sent instead. */
export type Refusal = { code: AppError['code']; details: NonNullable<ConstructorParameters<typeof AppError>[1]> };

export type ImportReply = { result: ImportResult } | { refusal: Refusal };

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
