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
      // By default, the schemas accept only UTC. `starts_at` and `ends_at` have the UTC offset of the location.
      override: { zod: { dateTimeOptions: { offset: true } } },
    },
  },
};
