// JavaScript, because Next.js would compile a TypeScript configuration at every start, with its native compiler.
/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // A path with a trailing slash is an unknown route, not a redirect (contract B2).
  skipTrailingSlashRedirect: true,
  // Native modules and modules with process-wide state must be loaded by Node.
  serverExternalPackages: [
    'pg',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
  ],
  // The image optimizer would request images from this server without passing through the edge.
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  typescript: { ignoreBuildErrors: true },
};

export default config;
