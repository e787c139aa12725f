import { respondWithCsv } from '../_export';

/** Responds with the filtered changes of the audit log as a CSV file. */
export function POST(request: Request): Promise<Response> {
  return respondWithCsv(request, 'audit');
}
