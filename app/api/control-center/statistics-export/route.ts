import { respondWithCsv } from '../_export';

/** Responds with the statistics as a CSV file. */
export function POST(request: Request): Promise<Response> {
  return respondWithCsv(request, 'statistics');
}
