import { pages, partnerClient } from './client.ts';

const client = partnerClient({ baseUrl: process.env.API ?? '', apiKey: process.env.API_KEY ?? '' });

const names = new Map<string, string>();
for await (const { services, locations } of pages(client.listCatalog, { limit: 10 })) {
  // Each page contains the locations of its services. Merge the locations of all pages by id.
  for (const location of locations) names.set(location.id, location.name);
  for (const service of services) console.log(service.id, service.name);
}
console.log([...names.values()].join(', '));
