/**
 * Maximum size in bytes of a body that contains no import and no calendar. The limit is about ten times the size of the largest
 * valid policy. It bounds the work that a member can cause.
 */
const MAX_BODY = 256 * 1024;
/**
 * Maximum size in bytes of the body of an import or of an uploaded calendar. The edge has the same limit. The browser compresses the
 * document, so the document itself can be larger.
 */
const MAX_IMPORT = 4 * 1024 * 1024;

/** The calls with a document. */
const LARGE = /^((catalog|bookings)\.transfer\.|calendars\.upload$)/;

/**
 * Reads the body of a tRPC call into memory and returns the call. Returns null if the body is larger than the limit of
 * the called procedures.
 */
export async function boundedCall(request: Request): Promise<Request | null> {
  if (!request.body) return request;
  const paths = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '').split(',');
  const limit = paths.every((path) => LARGE.test(path)) ? MAX_IMPORT : MAX_BODY;
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
