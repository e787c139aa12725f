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
      // `starts_at` and `ends_at` have the offset of the location's time zone. By default, the generated schemas accept
      // only timestamps in UTC.
      override: { zod: { dateTimeOptions: { offset: true } } },
    },
  },
};
