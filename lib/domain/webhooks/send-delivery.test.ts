import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import { systemClock } from '@/lib/infra/clock';
import type { EgressRequest } from '@/lib/infra/egress/egress';
import { readSettings } from '@/lib/infra/env';
import { newId, newWebhookSecret } from '@/lib/infra/ids';
import { createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import { sendDelivery } from './send-delivery';
import type { StartedDelivery } from './start-deliveries';

const settings = readSettings({ DATABASE_URL: 'postgresql://unused', APP_SECRET: 'x'.repeat(32) });
const secrets = createSecrets(settings.appSecret);
const log = createLogger('test', 'silent');
const ctx = { clock: systemClock, log, secrets, settings } as unknown as SystemContext;

const [webhookId, teamId] = [newId(), newId()];
const secretSealed = secrets.seal({ kind: 'webhook-secret', id: webhookId, teamId }, newWebhookSecret());
const attempt = {
  id: newId(),
  webhookId,
  teamId,
  url: 'https://receiver.example/hook',
  secretSealed,
  secretPreviousSealed: null,
  blockedBy: null,
  eventId: newId(),
  event: 'stream.started',
  sequence: 1,
  test: false,
  payload: {},
  happenedAt: new Date(),
} as unknown as StartedDelivery;

test('deliveries share connections per webhook: the connection key is the id of the webhook', async () => {
  const requests: (EgressRequest | undefined)[] = [];
  const egress = {
    fetch: (url: string, request?: EgressRequest) => {
      requests.push(request);
      return Promise.resolve({ status: 200, statusText: 'OK', headers: {}, url, body: Readable.from([]) });
    },
    close: () => Promise.resolve(),
  };
  const { signal } = new AbortController();
  expect(await sendDelivery(ctx, egress, attempt, { signal })).toMatchObject({ result: 'accepted' });
  expect(requests).toMatchObject([{ connectionKey: webhookId }]);
});
