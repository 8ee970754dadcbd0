import { z } from 'zod';
import { eventNames } from '@/lib/core/webhooks/events';
import type { ApiClient } from './load/api-client';
import { hookNames, hookSecret, type HookName, type RemoteServers } from './load/remote-servers';
import { createdStream } from './load/write-streams';
import type { Ledger } from './ledger';
import type { Service } from './service/service';
import type { PublishedStream } from './stage';

/** Numbers of streams that publish without pauses, and with pauses. */
const steadyStreams = 6;
const shortStreams = 3;
/** One has a slate and a target, one a second encoder. */
const slateStream = 3;
const standbyStream = 4;
/** Shorter than the time to reconnect, longer than an encoder takes. */
const slateSeconds = 10;
export const publishedStreams = steadyStreams + shortStreams;

const account = { email: 'faults@example.com', password: 'only-for-this-run-4711' };
const events: Readonly<Record<HookName, readonly string[]>> = {
  flaky: eventNames,
  good: ['stream.started', 'stream.idle', 'recording.ready', 'asset.ready', 'task.completed'],
};
const anyObject = z.looseObject({});

/** Creates an account. @returns an API key with full access */
export async function createKey(service: Service): Promise<string> {
  await service.cli('account:create', '--email', account.email, '--password', account.password);
  return service.cli('key:create', '--email', account.email, '--name', 'faults', '--full-access');
}

/** Creates the streams, targets and webhooks of the run. @returns the streams */
export async function prepare(
  api: ApiClient,
  ledger: Ledger,
  remote: RemoteServers,
  targetUrls: readonly string[],
): Promise<PublishedStream[]> {
  const create = async (path: string, body: object, status: number) => {
    const answer = await api.write('POST', path, body, [status]);
    if (!answer) throw new Error(`${path} did not respond with ${status}`);
    return anyObject.parse(answer.json ?? {});
  };
  const streams: PublishedStream[] = [];
  for (let source = 0; source < publishedStreams; source += 1) {
    const mode = source < steadyStreams ? 'steady' : 'short';
    const name = `${mode}-${source}`;
    // Only two are transcoded, because a small machine cannot do more.
    const small = { name: 'small', width: 160, height: 128, bitrate: 80_000, fps: 0 };
    const profiles = source < 2 ? [small] : [];
    const slate = source === slateStream;
    const survival = { ...(slate ? { slate, slateSeconds } : {}), backup: source === standbyStream };
    const body = { name, record: true, profiles, ...survival };
    const stream = createdStream.parse(await create('/api/stream', body, 201));
    const entry = { ...stream, name };
    ledger.addStream(entry);
    streams.push({ entry, source, mode, ...(slate ? { slate } : {}) });
  }
  for (const name of hookNames)
    await create(
      '/api/webhook',
      {
        name: `receiver-${name}`,
        url: remote.hookUrl(name),
        sharedSecret: hookSecret(name),
        events: events[name],
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
