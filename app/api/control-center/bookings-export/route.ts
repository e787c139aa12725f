import { respondWithCsv } from '../_export';

/** Responds with the filtered bookings as a CSV file. */
export function POST(request: Request): Promise<Response> {
  return respondWithCsv(request, 'bookings');
}
