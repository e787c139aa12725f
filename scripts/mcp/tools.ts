import { McpServer } from '@modelcontextprotocol/server';
import type { partnerClient } from '@/lib/contract/client';
import type { Api } from './api';
import { verifyState } from './confirm';
import { resultOf } from './result';
import { INPUTS } from './schemas';
import { changeBooking, createBooking, type Settings } from './writes';

type Client = ReturnType<typeof partnerClient>;

const INSTRUCTIONS = [
  'Books appointments at one business. First list_services, then list_availability, then create_booking. If there is no slot, explain_availability says why.',
  'Times are local to the location of a slot. Never invent ids, prices, or times: use those that the tools return.',
  'Ask the customer for their name, their phone number with its country code, and their consent to be contacted.',
  'If a tool returns confirmation_required, show its question and code to the person, and wait for the answer: never answer yourself.',
  'After an error, do what its advice says. A booking exists only if a tool returned it with the status confirmed.',
].join(' ');

const NO_SLOTS =
  'Nothing is free. Call explain_availability for one of these days to learn why, or read other days. Do not guess a reason.';

const READS = { readOnlyHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, idempotentHint: true, openWorldHint: false };

const isEmpty = (page: object) =>
  'slots' in page && Array.isArray(page.slots) && page.slots.length === 0 && 'next_cursor' in page && !page.next_cursor;

/** Returns an MCP server with the tools of the API. */
export function mcpServer(options: Omit<Settings, 'session'>): McpServer {
  const { api } = options;
  const server = new McpServer(
    { name: 'partner-booking', version: '1.0.0' },
    { instructions: INSTRUCTIONS, requestState: { verify: verifyState } },
  );
  const settings: Settings = { ...options, session: () => server.server.getClientCapabilities() };
  const read = async (work: Parameters<Api['call']>[0]) => resultOf((await api.call(work)).outcome);
  server.registerTool(
    'list_services',
    {
      title: 'List services',
      description:
        'The services that can be booked, their durations and prices, and the locations. With service_id: its specialists.',
      inputSchema: INPUTS.listServices,
      annotations: READS,
    },
    (args) =>
      read((client) => (args.service_id === undefined ? client.listCatalog(args) : client.listSpecialists(args))),
  );
  server.registerTool(
    'list_availability',
    {
      title: 'List free slots',
      description:
        'The starts at which a service can be booked now, for up to 31 days. An empty list means that nothing is free: explain_availability says why.',
      inputSchema: INPUTS.listAvailability,
      annotations: READS,
    },
    async (args) => {
      const query = args as Parameters<Client['listAvailability']>[0];
      const { outcome } = await api.call((client) => client.listAvailability(query));
      return resultOf(
        'data' in outcome && isEmpty(outcome.data) ? { data: { ...outcome.data, advice: NO_SLOTS } } : outcome,
      );
    },
  );
  server.registerTool(
    'explain_availability',
    {
      title: 'Explain why there is no slot',
      description:
        'Why each start of one day can or cannot be booked now. Call it only if list_availability returned no slot, or not the one that the person wants.',
      inputSchema: INPUTS.explainAvailability,
      annotations: READS,
    },
    (args) => read((client) => client.explainAvailability(args as Parameters<typeof client.explainAvailability>[0])),
  );
  server.registerTool(
    'create_booking',
    {
      title: 'Create a booking',
      description:
        'Books a slot that list_availability returned, for one customer who agreed to be contacted. Repeating a call never books twice.',
      inputSchema: INPUTS.createBooking,
      annotations: { ...WRITES, destructiveHint: false },
    },
    (args, ctx) => createBooking(settings, args, ctx),
  );
  server.registerTool(
    'find_bookings',
    {
      title: 'Find bookings',
      description:
        'One booking by its reference, with the version that change_booking needs, or the bookings with an external_reference.',
      inputSchema: INPUTS.findBookings,
      annotations: READS,
    },
    ({ reference, ...query }) =>
      read((client) =>
        typeof reference === 'string'
          ? client.readBooking(reference)
          : client.listBookings(query as Parameters<typeof client.listBookings>[0]),
      ),
  );
  server.registerTool(
    'change_booking',
    {
      title: 'Cancel or reschedule a booking',
      description:
        'Cancels a booking, or moves it to another start. expected_version is the version that find_bookings returned.',
      inputSchema: INPUTS.changeBooking,
      annotations: { ...WRITES, destructiveHint: true },
    },
    (args, ctx) => changeBooking(settings, args, ctx),
  );
  return server;
}
