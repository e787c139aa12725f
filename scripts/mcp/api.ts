import { PartnerError, pages, partnerClient } from '@/lib/contract/client';
import { API_ERRORS, type ApiErrorCode } from '@/lib/contract/errors/api-errors';
import type { AppError } from '@/lib/contract/errors/app-error';

type Client = ReturnType<typeof partnerClient>;

/** What a tool returns: data, or the refusal that the API gave or would give. */
export type Outcome = { data: object } | { error: Refusal };

export type Refusal = {
  status: number;
  code: string;
  reason: string | null;
  message: string;
  fields: readonly { path: string; message: string }[];
  request_id: string | null;
  /** What the agent should do now. */
  advice: string;
};

export type Api = {
  /** Runs calls of the API. `replayed` of the result states whether the last one returned a stored response. */
  call: (work: (client: Client) => Promise<object>) => Promise<{ outcome: Outcome; replayed: boolean }>;
  /** Returns the names of a service and a location for a person, or their ids if the catalog cannot be read. */
  namesOf: (ids: { service_id: string; location_id?: string | null }) => Promise<string>;
};

/** Milliseconds. A host waits for a tool at least a minute. */
const MAX_DURATION = 45_000;

const UNCERTAIN =
  'The outcome is unknown. Call this tool again with exactly the same arguments: it never writes the same twice.';

function adviceFor(code: string, status: number): string {
  if (status === 0 || code === 'unknown') return UNCERTAIN;
  return API_ERRORS[code as ApiErrorCode]?.advice ?? 'Correct the request.';
}

/** Returns a refusal that this server decides as the API would. */
export function refusalOf({ status, code, reason, message, fields }: AppError): Refusal {
  return { status, code, reason, message, fields, request_id: null, advice: adviceFor(code, status) };
}

function refusalFrom({ status, code, reason, message, fields, requestId }: PartnerError): Refusal {
  return { status, code, reason, message, fields, request_id: requestId, advice: adviceFor(code, status) };
}

/** Returns the client of the REST API that the tools use. It can do only what the key may do. */
export function createApi({ api: baseUrl, apiKey }: { api: string; apiKey: string }): Api {
  const call: Api['call'] = async (work) => {
    let replayed = false;
    const onResponse = (response: { replayed: boolean }) => {
      replayed = response.replayed;
    };
    const client = partnerClient({ baseUrl, apiKey, maxDuration: MAX_DURATION, onResponse });
    try {
      return { outcome: { data: await work(client) }, replayed };
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      return { outcome: { error: refusalFrom(error) }, replayed: false };
    }
  };
  const namesOf: Api['namesOf'] = async ({ service_id, location_id }) => {
    const client = partnerClient({ baseUrl, apiKey, maxDuration: MAX_DURATION });
    try {
      for await (const { services, locations } of pages(client.listCatalog, { limit: 50 })) {
        const service = services.find(({ id }) => id === service_id);
        if (!service) continue;
        const location = locations.find(({ id }) => id === (location_id ?? service.location_ids[0]));
        return location ? `${service.name}, ${location.name}` : service.name;
      }
    } catch (error) {
      // A key without `catalog.read` can still book. The person then sees ids.
      if (!(error instanceof PartnerError)) throw error;
    }
    return [service_id, location_id].filter(Boolean).join(', ');
  };
  return { call, namesOf };
}
