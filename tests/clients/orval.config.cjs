const input = { target: './generated/openapi.json' };

module.exports = {
  client: {
    input,
    output: {
      target: './generated/orval/client.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
  schemas: {
    input,
    output: {
      target: './generated/orval/schemas.ts',
      client: 'zod',
      // By default, the generated schemas accept only timestamps in UTC. `starts_at` and `ends_at` have the location's
      // offset.
      override: { zod: { dateTimeOptions: { offset: true } } },
    },
  },
};
