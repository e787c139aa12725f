import { beginFile } from './fresh-process';
import { TEST_SECRET } from './server';
import { sharedServer } from './shared';

// Domain functions in tests use the shared server's database and secret.
beginFile({
  ENVIRONMENT: 'TEST',
  SECRET_KEY: TEST_SECRET,
  DATABASE_URL: sharedServer().databaseUrl,
  DATABASE_POOL: '4',
});
