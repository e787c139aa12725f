import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { type ManualClock, makeWebhook, manualClock } from '@/tests/support/webhooks';

/** A clock, a receiver, and a database whose only endpoint has the receiver's URL. */
export type Stage = {
  database: OwnDatabase;
  receiver: Receiver;
  clock: ManualClock;
  webhook: Awaited<ReturnType<typeof makeWebhook>>;
};

/** Prepares a stage before each test of the file. There is no worker, so only the tests make attempts. */
export function stageOfEachTest(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.database = await ownDatabase();
  });
  afterAll(async () => {
    await stage.database.drop();
  });
  beforeEach(async () => {
    await stage.database.clear();
    stage.receiver = await startReceiver();
    stage.clock = manualClock(new Date());
    stage.webhook = await makeWebhook(stage.receiver.url, stage.clock.now());
    return () => stage.receiver.close();
  });
  return stage;
}
