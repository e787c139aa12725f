import {
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { recurringWarning } from '../recurring-warning';
import type { Exporter, FinishedRequest, Statement } from './tracing';

/** Milliseconds to send the remaining spans when the server stops. */
const STOP_WITHIN = 1_000;

/** Returns an exporter to a collector. The SDK reads its options from `OTEL_*`, and keeps at most 2,048 spans. */
export function createExporter(environment: string): Exporter {
  reportProblems();
  const own = { 'service.name': 'partner-booking', 'deployment.environment.name': environment };
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer('partner-booking');
  // System time. The two clocks drift apart, so each call reads both.
  const wall = (at: number) => Date.now() - (performance.now() - at);

  function exportRequest(
    { name, begun, attributes, traceparent, failed }: FinishedRequest,
    statements: readonly Statement[],
  ) {
    const ended = performance.now();
    const link = linkTo(traceparent);
    const options = { kind: SpanKind.SERVER, startTime: wall(begun), attributes, links: link ? [link] : [] };
    const span = tracer.startSpan(name, options, ROOT_CONTEXT);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    const context = trace.setSpan(ROOT_CONTEXT, span);
    for (const statement of span.isRecording() ? statements : []) {
      const child = { kind: SpanKind.CLIENT, startTime: wall(statement.begun), attributes: attributesOf(statement) };
      const round = tracer.startSpan(statement.name, child, context);
      if (statement.failed) round.setStatus({ code: SpanStatusCode.ERROR });
      round.end(wall(statement.ended || ended));
    }
    span.end(wall(ended));
  }

  const stop = () =>
    Promise.race([
      provider.shutdown().catch(() => undefined),
      new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN).unref()),
    ]);
  return { export: exportRequest, stop };
}

const attributesOf = ({ name }: Statement) => ({ 'db.system.name': 'postgresql', 'db.query.summary': name });

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A link, not a part of the caller's trace, because a partner could then decide which requests are sampled. */
function linkTo(traceparent: string | null): Link | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { context: { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true } };
}

const unsent = recurringWarning(
  'traces could not be exported: check OTEL_EXPORTER_OTLP_ENDPOINT and the other OTEL settings',
);

function reportProblems(): void {
  const report = () => unsent.warn(undefined);
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
