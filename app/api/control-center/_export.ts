import { TRPCError } from '@trpc/server';
import { currentLanguage, translator } from '@/app/_components/messages';
import { inReadersLanguage, isOwnPage, readJson } from '@/app/_own-page';
import { currentCaller } from '@/app/_session';
import { describeChangeIn } from '@/app/t/[tenant]/audit/_components/export-texts';
import { AppError } from '@/lib/contract/errors/app-error';
import type { DescribeChange } from '@/lib/control-center/exports/audit';
import { type ExportedFile, exporterOf } from '@/lib/control-center/trpc/export-router';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { newId } from '@/lib/platform/ids';
import { busy } from '@/lib/platform/tenant-scope';
import { formatsOf } from '@/lib/platform/text/formats';
import { toAppError } from '@/lib/platform/unexpected';

const HEADERS = { 'Cache-Control': 'private, no-store' };

type Exporter = ReturnType<ReturnType<typeof exporterOf>>;

async function describeChange(): Promise<DescribeChange> {
  const [t, words, { language, hourCycle }] = await Promise.all([
    translator('audit'),
    translator('words'),
    currentLanguage(),
  ]);
  return describeChangeIn({ t, words, format: formatsOf(language, hourCycle) });
}

/**
 * Responds with a CSV file of the rows that match the filters in the request's body, or with the error that the export
 * throws. Responds with 403 if the request does not come from a Control Center page.
 * @param list The list to export. The file name starts with this word.
 */
export async function respondWithCsv(request: Request, list: keyof Exporter): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: HEADERS });
  const requestId = newId('req');
  const now = new Date();
  const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
  const headers = { ...HEADERS, 'X-Request-Id': requestId };
  try {
    const input = await readJson(request);
    const [caller, describe] = await Promise.all([currentCaller(), describeChange()]);
    const exporter = exporterOf(describe)({ ...caller, requestId, address, now });
    // The cast is safe, because the procedure validates `input` and throws if `input` is not an object.
    const { name, csv } = await (exporter[list] as (input: object) => Promise<ExportedFile>)(input as object);
    const disposition = `attachment; filename="${name}"`;
    const content = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': disposition };
    return new Response(csv, { headers: { ...headers, ...content } });
  } catch (caught) {
    const cause = caught instanceof TRPCError ? caught.cause : caught;
    const error = cause instanceof AppError ? cause : toAppError(cause, requestId, busy);
    return Response.json({ error: await inReadersLanguage(error) }, { status: error.status, headers });
  }
}
