import { maximumBody } from '@/lib/http/edge/limits/size';

/**
 * Reads the body of a tRPC call into memory and returns the call. Returns null if the body is larger than the
 * `maximumBody` of the path, which the edge compares only with the Content-Length.
 */
export async function boundedCall(request: Request): Promise<Request | null> {
  if (!request.body) return request;
  const limit = maximumBody(new URL(request.url).pathname, false);
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > limit) return null;
    pieces.push(piece.value);
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(pieces) });
}
