import { z } from 'zod';
import { eventNames } from '@/lib/core/webhooks/events';
import type { ApiClient } from './load/api-client';
import { hookNames, hookSecret, type HookName, type Outside } from './load/outside';
import { createdStream } from './load/write-streams';
import type { Ledger } from './ledger';
import type { Service } from './service/service';
import type { PublishedStream } from './stage';

/** Streams that publish without a pause, and such that come and go. */
const steadyStreams = 6;
const shortStreams = 3;
export const publishedStreams = steadyStreams + shortStreams;

const account = { email: 'faults@example.com', password: 'only-for-this-run-4711' };
const events: Readonly<Record<HookName, readonly string[]>> = {
  flaky: eventNames,
  good: ['stream.started', 'stream.idle', 'recording.ready', 'asset.ready', 'task.completed'],
};
const anyObject = z.looseObject({});

/** @returns a key that may do everything */
export async function createKey(service: Service): Promise<string> {
  await service.cli('account:create', '--email', account.email, '--password', account.password);
  return service.cli('key:create', '--email', account.email, '--name', 'faults', '--full-access');
}

/** Streams, their targets and the webhooks of the run; they are part of the ledger. */
export async function prepare(
  api: ApiClient,
  ledger: Ledger,
  outside: Outside,
  targetUrls: readonly string[],
): Promise<PublishedStream[]> {
  const must = async (path: string, body: object, status: number) => {
    const answer = await api.write('POST', path, body, [status]);
    if (!answer) throw new Error(`${path} was not answered with ${status}`);
    return anyObject.parse(answer.json ?? {});
  };
  const streams: PublishedStream[] = [];
  for (let source = 0; source < publishedStreams; source += 1) {
    const mode = source < steadyStreams ? 'steady' : 'short';
    const name = `${mode}-${source}`;
    // Two of them are transcoded: what a small machine can do beside everything else.
    const small = { name: 'small', width: 160, height: 128, bitrate: 80_000, fps: 0 };
    const profiles = source < 2 ? [small] : [];
    const made = createdStream.parse(await must('/api/stream', { name, record: true, profiles }, 201));
    const entry = { ...made, name };
    ledger.addStream(entry);
    streams.push({ entry, source, mode });
  }
  for (const name of hookNames)
    await must(
      '/api/webhook',
      {
        name: `receiver-${name}`,
        url: outside.hookUrl(name),
        sharedSecret: hookSecret(name),
        events: events[name],
      },
      201,
    );
  for (const [index, url] of targetUrls.entries()) {
    const spec = { url, name: `platform-${index}` };
    const path = `/api/stream/${streams[2 + index]?.entry.id ?? ''}/create-multistream-target`;
    await must(path, { profile: 'source', spec }, 204);
  }
  return streams;
}
