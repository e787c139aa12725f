import { beginFile } from './fresh-process';
import { TEST_SECRET } from './server';
import { sharedServer } from './shared';

// For functions that tests call in this process.
beginFile({
  ENVIRONMENT: 'TEST',
  SECRET_KEY: TEST_SECRET,
  DATABASE_URL: sharedServer().databaseUrl,
  DATABASE_POOL: '4',
});
