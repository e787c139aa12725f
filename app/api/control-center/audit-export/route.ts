import { respondWithCsv } from '../_export';

/** Responds with the filtered changes from the audit log as a CSV file. */
export function POST(request: Request): Promise<Response> {
  return respondWithCsv(request, 'audit');
}
