// A program that writes log entries to a file, as a worker of a server does. Its arguments are the path, the number of
// the first entry, and the number of entries.
import { createCopy } from '@/lib/activity/request-log/copy';
import { entriesFrom } from './entries';

process.env.LOG_LEVEL = 'silent';
process.env.DATABASE_URL = 'postgresql://127.0.0.1:1/none';
process.env.SECRET_KEY = 'a secret for this process, never used';
const [, , path = '', first = '0', count = '0'] = process.argv;
// The batches are small and have different sizes, so that the batches of several processes interleave.
const copy = createCopy(path, { collect: 1, pause: 5, batch: 9_000 });
for (const entry of entriesFrom(Number(first), Number(count))) copy.offer(entry);
while (copy.waiting() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
await copy.close(1_000);
