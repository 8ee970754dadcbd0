import { z } from 'zod';
import { eventNames } from '@/lib/core/webhooks/events';
import type { ApiClient } from './load/api-client';
import { webhookNames, webhookSecret, type WebhookName, type RemoteServers } from './load/remote-servers';
import { createdStreamSchema } from './load/write-streams';
import type { Ledger } from './ledger';
import type { Service } from './service/service';
import type { PublishedStream } from './stage';

/** Numbers of streams that are published without pauses (steady) and with pauses (short). */
const STEADY_STREAM_COUNT = 6;
const SHORT_STREAM_COUNT = 3;
/** Indexes of the stream with a slate and a multistream target, and of the stream with a standby encoder. */
const SLATE_STREAM_INDEX = 3;
const STANDBY_STREAM_INDEX = 4;
/** The slate ends before the reconnect window does, but lasts longer than an encoder needs to reconnect. */
const SLATE_SECONDS = 10;
export const PUBLISHED_STREAM_COUNT = STEADY_STREAM_COUNT + SHORT_STREAM_COUNT;

const account = { email: 'faults@example.com', password: 'only-for-this-run-4711' };
const subscribedEvents: Readonly<Record<WebhookName, readonly string[]>> = {
  flaky: eventNames,
  good: ['stream.started', 'stream.idle', 'recording.ready', 'asset.ready', 'task.completed'],
};
const anyObject = z.looseObject({});

/**
 * Creates an account and an API key with full access.
 * @returns the API key
 */
export async function createApiKey(service: Service): Promise<string> {
  await service.cli('account:create', '--email', account.email, '--password', account.password);
  return service.cli('key:create', '--email', account.email, '--name', 'faults', '--full-access');
}

/**
 * Creates the streams, targets and webhooks of the run.
 * @returns the streams
 */
export async function prepareStreams(
  api: ApiClient,
  ledger: Ledger,
  remote: RemoteServers,
  targetUrls: readonly string[],
): Promise<PublishedStream[]> {
  const create = async (path: string, body: object, status: number) => {
    const response = await api.write('POST', path, body, [status]);
    if (!response) throw new Error(`${path} did not respond with ${status}`);
    return anyObject.parse(response.json ?? {});
  };
  const streams: PublishedStream[] = [];
  for (let source = 0; source < PUBLISHED_STREAM_COUNT; source += 1) {
    const mode = source < STEADY_STREAM_COUNT ? 'steady' : 'short';
    const name = `${mode}-${source}`;
    // Only two streams have a profile, because a small machine cannot encode more renditions.
    const smallProfile = { name: 'small', width: 160, height: 128, bitrate: 80_000, fps: 0 };
    const profiles = source < 2 ? [smallProfile] : [];
    const slate = source === SLATE_STREAM_INDEX;
    const slateAndStandby = {
      ...(slate ? { slate, slateSeconds: SLATE_SECONDS } : {}),
      backup: source === STANDBY_STREAM_INDEX,
    };
    const body = { name, record: true, profiles, ...slateAndStandby };
    const stream = createdStreamSchema.parse(await create('/api/stream', body, 201));
    const entry = { ...stream, name };
    ledger.addStream(entry);
    streams.push({ entry, source, mode, ...(slate ? { slate } : {}) });
  }
  for (const name of webhookNames)
    await create(
      '/api/webhook',
      {
        name: `receiver-${name}`,
        url: remote.webhookUrl(name),
        sharedSecret: webhookSecret(name),
        events: subscribedEvents[name],
      },
      201,
    );
  for (const [index, url] of targetUrls.entries()) {
    const spec = { url, name: `platform-${index}` };
    const path = `/api/stream/${streams[2 + index]?.entry.id ?? ''}/create-multistream-target`;
    await create(path, { profile: 'source', spec }, 204);
  }
  return streams;
}
