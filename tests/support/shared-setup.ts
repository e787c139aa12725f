import { TEST_SECRET } from './server';
import { sharedServer } from './shared';

// Domain functions that a test calls directly work on the shared server's database, with its secret.
process.env.ENVIRONMENT = 'TEST';
process.env.SECRET_KEY = TEST_SECRET;
process.env.DATABASE_URL = sharedServer().databaseUrl;
process.env.DATABASE_POOL = '4';
