import { connect } from 'node:net';

/** What a connection asks its owner for, and tells it. */
export type Traffic = {
  /** Returns the next request, or null when there is nothing more to send. */
  next: () => Buffer | null;
  answered: (status: number, milliseconds: number, bodyBytes: number) => void;
};

const HEAD_END = '\r\n\r\n';
/** The end of a chunked body; JSON holds no raw line break, so that nothing else looks like it. */
const LAST_CHUNK = '\r\n0\r\n\r\n';

/**
 * Opens a keep-alive connection and sends one request after the other on it; resolves when there is none left. It
 * reads of an answer only what tells where it ends: the load shares the processors with what it measures, and a full
 * HTTP client would take more of them than the server under test.
 */
export function drive(port: number, traffic: Traffic): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let answer: AnswerReader | null = null;
    let sentAt = 0;
    const send = () => {
      const request = traffic.next();
      answer = request && createAnswerReader();
      if (!request) return void socket.end(resolve);
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      if (!answer?.read(chunk)) return;
      traffic.answered(answer.status, performance.now() - sentAt, answer.bodyBytes);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => answer && reject(new Error('The server closed a connection.')));
  });
}

type AnswerReader = {
  status: number;
  bodyBytes: number;
  /** Takes what arrived; tells whether the answer is whole. */
  read: (chunk: Buffer) => boolean;
};

function createAnswerReader(): AnswerReader {
  let head: Buffer = Buffer.alloc(0);
  /** Bytes that the body will have; null when it comes in chunks, undefined before the head is there. */
  let length: number | null | undefined;
  let tail = '';
  const body = (chunk: Buffer): boolean => {
    reader.bodyBytes += chunk.length;
    if (typeof length === 'number') return reader.bodyBytes >= length;
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
    return tail === LAST_CHUNK;
  };
  const reader: AnswerReader = {
    status: 0,
    bodyBytes: 0,
    read: (chunk) => {
      if (length !== undefined) return body(chunk);
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return false;
      const text = head.toString('latin1', 0, end);
      reader.status = Number(text.slice(9, 12));
      const announced = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      length = announced === undefined ? null : Number(announced);
      return body(head.subarray(end + HEAD_END.length));
    },
  };
  return reader;
}
