import { beginFile } from './fresh-process';
import { TEST_SECRET } from './server';
import { sharedServer } from './shared';

// Functions that tests call in this process use the database and the secret of the shared server.
beginFile({
  ENVIRONMENT: 'TEST',
  SECRET_KEY: TEST_SECRET,
  DATABASE_URL: sharedServer().databaseUrl,
  DATABASE_POOL: '4',
});
