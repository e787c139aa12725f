import { connect } from 'node:net';

/** The callbacks of a connection. */
export type Traffic = {
  /** Returns the next request, or null at the end of the run. */
  next: () => Buffer | null;
  onResponse: (status: number, milliseconds: number, bodyBytes: number) => void;
};

const HEAD_END = '\r\n\r\n';
/** The end of a chunked body. It cannot occur within JSON, which contains no raw line breaks. */
const LAST_CHUNK = '\r\n0\r\n\r\n';

/**
 * Opens a keep-alive connection and sends requests one after the other until `next` returns null. Parses only the
 * status and the end of a response: the load shares the processors with the server under test, and a full HTTP client
 * would use more of them than the server.
 */
export function drive(port: number, traffic: Traffic): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let response: ResponseReader | null = null;
    let sentAt = 0;
    const send = () => {
      const request = traffic.next();
      response = request && createResponseReader();
      if (!request) return void socket.end(resolve);
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      if (!response?.read(chunk)) return;
      traffic.onResponse(response.status, performance.now() - sentAt, response.bodyBytes);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => response && reject(new Error('The server closed a connection.')));
  });
}

type ResponseReader = {
  status: number;
  bodyBytes: number;
  /** Adds a chunk. Returns whether the response is complete. */
  read: (chunk: Buffer) => boolean;
};

function createResponseReader(): ResponseReader {
  let head: Buffer = Buffer.alloc(0);
  /** Length of the body; null if it is chunked, undefined until the head is complete. */
  let length: number | null | undefined;
  let tail = '';
  const body = (chunk: Buffer): boolean => {
    reader.bodyBytes += chunk.length;
    if (typeof length === 'number') return reader.bodyBytes >= length;
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
    return tail === LAST_CHUNK;
  };
  const reader: ResponseReader = {
    status: 0,
    bodyBytes: 0,
    read: (chunk) => {
      if (length !== undefined) return body(chunk);
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return false;
      const text = head.toString('latin1', 0, end);
      reader.status = Number(text.slice(9, 12));
      const contentLength = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      length = contentLength === undefined ? null : Number(contentLength);
      return body(head.subarray(end + HEAD_END.length));
    },
  };
  return reader;
}
