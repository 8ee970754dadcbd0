import { expect, test } from '@playwright/test';
import { Livepeer } from 'livepeer';
import { Events } from 'livepeer/models/components/webhook.js';
import { ErrorT } from 'livepeer/models/errors/error.js';
import { makeAccount, makeApiKey } from '../accounts';

let livepeer: Livepeer;

test.beforeAll(async () => {
  const apiKey = await makeApiKey((await makeAccount()).id);
  livepeer = new Livepeer({
    apiKey,
    serverURL: `${process.env.BASE_URL ?? 'http://localhost:3000'}/api/studio`,
  });
});

// app/api/studio.db.test.ts tests every call. These tests cover the HTTP transport of the running service.
test('the Livepeer client manages streams and multistream targets and reads playback info over HTTP', async () => {
  const { stream } = await livepeer.stream.create({ name: 'From the client', record: true });
  const id = stream?.id ?? '';
  expect((await livepeer.stream.get(id)).stream).toEqual(stream);
  expect((await livepeer.stream.update({ record: false }, id)).statusCode).toBe(204);
  expect((await livepeer.stream.getAll('1')).data).toEqual([{ ...stream, record: false }]);
  expect((await livepeer.session.getRecorded(id)).data).toEqual([]);

  const target = { profile: 'source', spec: { url: 'rtmp://live.example.com/app/key' } };
  expect((await livepeer.stream.addMultistreamTarget(target, id)).statusCode).toBe(204);
  const targets = (await livepeer.multistream.getAll()).data ?? [];
  expect(targets).toHaveLength(1);
  expect((await livepeer.stream.removeMultistreamTarget(id, targets[0]?.id ?? '')).statusCode).toBe(204);

  const { playbackInfo } = await livepeer.playback.get(stream?.playbackId ?? '');
  expect(playbackInfo?.type).toBe('live');
  await expect(livepeer.playback.get('nothing')).rejects.toBeInstanceOf(ErrorT);
  expect((await livepeer.stream.delete(id)).statusCode).toBe(204);
  await expect(livepeer.stream.get(id)).rejects.toMatchObject({ statusCode: 404 });
});

test('the Livepeer client creates and deletes webhooks, and gets an upload as a task of the type upload', async () => {
  const input = { name: 'Bot', url: 'https://example.com/hook', events: [Events.StreamIdle] };
  const { webhook } = await livepeer.webhook.create(input);
  expect(webhook).toMatchObject(input);
  expect((await livepeer.webhook.delete(webhook?.id ?? '')).webhook).toEqual(webhook);

  const { data } = await livepeer.asset.create({ name: 'Part 1' });
  expect((await livepeer.asset.get(data?.asset.id ?? '')).asset?.name).toBe('Part 1');
  const { task } = await livepeer.task.get(data?.task.id ?? '');
  expect(task).toMatchObject({ type: 'upload', outputAssetId: data?.asset.id });
  expect((await livepeer.task.getAll()).data).toEqual([task]);
});
