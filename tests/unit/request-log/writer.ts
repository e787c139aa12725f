// A program that writes log entries to a file, as a worker of a server does. Its arguments are the path, the number of
// the first entry, and the number of entries.
import { createFileSink } from '@/lib/activity/request-log/sink-file';
import { createQueue } from '@/lib/activity/request-log/sink-queue';
import { entriesFrom } from './entries';

process.env.LOG_LEVEL = 'silent';
process.env.DATABASE_URL = 'postgresql://127.0.0.1:1/none';
process.env.SECRET_KEY = 'a secret for this process, never used';
const [, , path = '', first = '0', count = '0'] = process.argv;
// The batches are small and have different sizes, so that the batches of several processes interleave.
const queue = createQueue(createFileSink(path), { collect: 1, pause: 5, longestPause: 5, batch: 9_000 });
for (const entry of entriesFrom(Number(first), Number(count))) queue.offer(entry);
while (queue.queued() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
await queue.close(1_000);
