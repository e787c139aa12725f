/** What the load process is told to do: everything about one run. */
export type LoadOrder = {
  port: number;
  /** Whole HTTP/1.1 requests as they go over the wire; each connection takes the next one, from the first again after the last. */
  requests: string[];
  /** Connections that each have one request under way at a time. */
  connections: number;
  /** The run ends after so many seconds or requests, whichever comes first. */
  seconds?: number;
  count?: number;
  /** The status that every answer must have. */
  status: number;
};

/** What came of a run. */
export type LoadReport = {
  requests: number;
  /** From the first request to the last answer. */
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  /** Bytes of the last answer's body. */
  bodyBytes: number;
  /** Answers with another status: status → how many. */
  unexpected: Record<string, number>;
  /** Share of one processor that the load process itself used. */
  cpu: number;
};
