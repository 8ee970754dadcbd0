import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { StreamEntry } from '../ledger';
import type { Stage } from '../stage';

export const createdStreamSchema = z.object({
  id: z.string(),
  streamKey: z.string(),
  backupStreamKey: z.string().exactOptional(),
  playbackId: z.string(),
});
const createdSchema = z.object({ id: z.string() });
/** Highest number of webhooks that this load creates. A team may have 50, and the receivers of the run count too. */
const MAX_WEBHOOKS = 40;

/** Creates one stream, renames it up to four times, and then may delete it, add a webhook or add a multistream target. */
export async function writeStream(stage: Stage, isRunning: () => boolean): Promise<void> {
  const { api, ledger, random } = stage;
  const baseName = `write-${randomUUID()}`;
  const response = await api.write(
    'POST',
    '/api/stream',
    { name: baseName, record: random.next() < 0.3 },
    [201],
  );
  if (!response) return;
  api.counters.streamsCreated += 1;
  const stream: StreamEntry = { ...createdStreamSchema.parse(response.json), name: baseName };
  ledger.addStream(stream);
  for (let version = 1; version <= 4 && isRunning(); version += 1) {
    await renameStream(stage, stream, `${baseName}-v${version}`);
    await sleep(random.between(50, 700));
  }
  const lastOperation = random.next();
  if (lastOperation < 0.25) await deleteStream(stage, stream);
  else if (lastOperation < 0.4 && ledger.webhooks.size < MAX_WEBHOOKS)
    await addWebhook(stage, stream, baseName);
  else if (lastOperation < 0.55) await addTarget(stage, baseName);
  await sleep(random.between(100, 800));
}

async function renameStream({ api, ledger }: Stage, stream: StreamEntry, name: string): Promise<void> {
  stream.pendingName = name;
  ledger.writeChange(stream);
  if (!(await api.write('PATCH', `/api/stream/${stream.id}`, { name }, [204]))) return;
  stream.name = name;
  delete stream.pendingName;
  ledger.writeChange(stream);
  api.counters.namesChanged += 1;
}

async function deleteStream({ api, ledger }: Stage, stream: StreamEntry): Promise<void> {
  stream.deletion = 'unknown';
  ledger.writeChange(stream);
  // Status 404 means that an earlier attempt has deleted the stream.
  if (await api.write('DELETE', `/api/stream/${stream.id}`, undefined, [204, 404]))
    stream.deletion = 'acknowledged';
  ledger.writeChange(stream);
}

async function addWebhook({ api, ledger }: Stage, stream: StreamEntry, baseName: string): Promise<void> {
  const name = `hook-${baseName}`;
  const body = {
    url: 'http://127.0.0.1:1/never',
    sharedSecret: 'unused-secret',
    events: ['stream.started'],
  };
  const fields = { ...body, name, streamId: stream.id, disabled: true };
  const response = await api.write('POST', '/api/webhook', fields, [201]);
  if (response) ledger.addWebhook(createdSchema.parse(response.json).id, name);
}

async function addTarget({ api, ledger }: Stage, baseName: string): Promise<void> {
  const name = `target-${baseName}`;
  const fields = { name, url: 'rtmp://127.0.0.1:2/app/key' };
  const response = await api.write('POST', '/api/multistream/target', fields, [201]);
  if (response) ledger.addTarget(createdSchema.parse(response.json).id, name);
}
