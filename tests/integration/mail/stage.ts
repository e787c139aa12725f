import { afterAll, beforeAll, beforeEach } from 'vitest';
import { deliverMails } from '@/lib/activity/mail/deliver';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { env } from '@/lib/platform/env';
import { makeTenant } from '@/tests/support/factories';
import { startMailServer } from '@/tests/support/mail-server';
import { type Provider, startProvider } from '@/tests/support/oidc';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** A server with a mail server and an OpenID provider, and the id of a tenant for each test. */
export type Stage = {
  database: OwnDatabase;
  mail: MailServer;
  /** Like `mail.mailTo`, but delivers what is due in this process. The server would do so within two seconds. */
  mailTo: MailServer['mailTo'];
  provider: Provider;
  server: TestServer;
  tenantId: string;
};

export function stageOfFile(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.database = await ownDatabase();
    [stage.mail, stage.provider] = [await startMailServer(), await startProvider()];
    Object.assign(process.env, stage.mail.settings);
    stage.mailTo = async (...wanted) => {
      await deliverMails(() => new Date(), stage.mail.smtp);
      return stage.mail.mailTo(...wanted);
    };
    const { SECRET_KEY } = env();
    await claimEnvironment(stage.database.url, { environment: 'TEST', secretKey: SECRET_KEY });
    stage.server = await startServer({
      databaseUrl: stage.database.url,
      env: { ...stage.mail.settings, ...stage.provider.settings, SECRET_KEY },
    });
  });
  afterAll(async () => {
    await stage.server?.stop();
    await Promise.all([stage.mail.close(), stage.provider.close()]);
    await stage.database.drop();
  });
  beforeEach(async () => {
    stage.mail.behave({});
    stage.tenantId = (await makeTenant()).id;
  });
  return stage;
}
