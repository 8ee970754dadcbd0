import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { StreamEntry } from '../ledger';
import type { Stage } from '../stage';

export const createdStream = z.object({
  id: z.string(),
  streamKey: z.string(),
  backupStreamKey: z.string().exactOptional(),
  playbackId: z.string(),
});
const createdSchema = z.object({ id: z.string() });
/** The limit of a team is 50, and the run has already created some. */
const maxWebhooks = 40;

/** Creates one stream, renames it a few times, and then deletes it, adds a webhook or adds a target. */
export async function writeStream(stage: Stage, running: () => boolean): Promise<void> {
  const { api, ledger, random } = stage;
  const base = `write-${randomUUID()}`;
  const answer = await api.write('POST', '/api/stream', { name: base, record: random.next() < 0.3 }, [201]);
  if (!answer) return;
  api.counters.streamsCreated += 1;
  const stream: StreamEntry = { ...createdStream.parse(answer.json), name: base };
  ledger.addStream(stream);
  for (let version = 1; version <= 4 && running(); version += 1) {
    await rename(stage, stream, `${base}-v${version}`);
    await sleep(random.between(50, 700));
  }
  const last = random.next();
  if (last < 0.25) await remove(stage, stream);
  else if (last < 0.4 && ledger.webhooks.size < maxWebhooks) await addWebhook(stage, stream, base);
  else if (last < 0.55) await addTarget(stage, base);
  await sleep(random.between(100, 800));
}

async function rename({ api, ledger }: Stage, stream: StreamEntry, name: string): Promise<void> {
  stream.pendingName = name;
  ledger.markChanged(stream);
  if (!(await api.write('PATCH', `/api/stream/${stream.id}`, { name }, [204]))) return;
  stream.name = name;
  delete stream.pendingName;
  ledger.markChanged(stream);
  api.counters.namesChanged += 1;
}

async function remove({ api, ledger }: Stage, stream: StreamEntry): Promise<void> {
  stream.deletion = 'unknown';
  ledger.markChanged(stream);
  // 404 means that an earlier attempt has deleted it.
  if (await api.write('DELETE', `/api/stream/${stream.id}`, undefined, [204, 404]))
    stream.deletion = 'acknowledged';
  ledger.markChanged(stream);
}

async function addWebhook({ api, ledger }: Stage, stream: StreamEntry, base: string): Promise<void> {
  const name = `hook-${base}`;
  const body = {
    url: 'http://127.0.0.1:1/never',
    sharedSecret: 'unused-secret',
    events: ['stream.started'],
  };
  const fields = { ...body, name, streamId: stream.id, disabled: true };
  const answer = await api.write('POST', '/api/webhook', fields, [201]);
  if (answer) ledger.addWebhook(createdSchema.parse(answer.json).id, name);
}

async function addTarget({ api, ledger }: Stage, base: string): Promise<void> {
  const name = `target-${base}`;
  const fields = { name, url: 'rtmp://127.0.0.1:2/app/key' };
  const answer = await api.write('POST', '/api/multistream/target', fields, [201]);
  if (answer) ledger.addTarget(createdSchema.parse(answer.json).id, name);
}
