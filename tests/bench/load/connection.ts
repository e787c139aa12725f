import { connect } from 'node:net';

/**
 * Milliseconds that a connection waits after a refusal. Without this pause, the load would use too much processor
 * time.
 */
const PAUSE_AFTER_REFUSAL = 100;

export type Traffic = {
  refused: number | undefined;
  /** Returns the next request, or null if there are no more requests. */
  next: () => Buffer | null;
  onResponse: (status: number, milliseconds: number, bodyBytes: number) => void;
};

const HEAD_END = '\r\n\r\n';
/**
 * The end of a chunked body. The server's JSON contains no line breaks, so these bytes cannot occur within a body.
 */
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** A keep-alive connection that sends one request at a time. */
export type Connection = {
  connected: Promise<void>;
  /** Sends a request; `onResponse` is called when its response is complete. */
  send: (request: Buffer, onResponse: (status: number, bodyBytes: number) => void) => void;
  close: () => void;
};

/**
 * Opens a connection. Parses only the status and the end of each response. A full HTTP client would use more processor
 * time than the server, and both run on the same processors.
 * @param onBroken called if the connection breaks, or closes before a response is complete
 */
export function openConnection(port: number, onBroken: (error: Error) => void = () => {}): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let pending: { reader: ResponseReader; onResponse: (status: number, bodyBytes: number) => void } | null = null;
  socket.on('data', (chunk) => {
    if (!pending?.reader.read(chunk)) return;
    const { reader, onResponse } = pending;
    pending = null;
    onResponse(reader.status, reader.bodyBytes);
  });
  socket.on('error', onBroken);
  socket.on('close', () => pending && onBroken(new Error('The server closed a connection.')));
  return {
    connected: new Promise((resolve) => socket.once('connect', () => resolve())),
    send: (request, onResponse) => {
      pending = { reader: createResponseReader(), onResponse };
      socket.write(request);
    },
    close: () => void socket.end(),
  };
}

/** The number of requests on one connection. The server closes a connection after 1,000. */
const REQUESTS_PER_CONNECTION = 1_000;

/** Sends requests one after the other until `next` returns null. */
export function drive(port: number, traffic: Traffic): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = openConnection(port, reject);
    let sent = 0;
    const send = () => {
      if (sent === REQUESTS_PER_CONNECTION) {
        connection.close();
        drive(port, traffic).then(resolve, reject);
        return;
      }
      sent += 1;
      const request = traffic.next();
      if (!request) {
        connection.close();
        resolve();
        return;
      }
      const sentAt = performance.now();
      connection.send(request, (status, bodyBytes) => {
        traffic.onResponse(status, performance.now() - sentAt, bodyBytes);
        if (status === traffic.refused) setTimeout(send, PAUSE_AFTER_REFUSAL);
        else send();
      });
    };
    void connection.connected.then(send);
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
  /** Length of the body in bytes. Null if the body is chunked, undefined until the head is complete. */
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
