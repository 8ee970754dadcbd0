import { describe, expect, test } from 'vitest';
import { livepeerClient } from '@/app/api/testing/livepeer-client';
import { openTestApi, type Person } from '@/app/api/testing/test-api';
import { clipLimits } from '@/lib/core/sessions/clip-range';
import { newPlaybackId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';

const api = openTestApi(await testDatabase());
const { db } = api.services;
const eve = await api.person('eve');
const minute = 60_000;
/** Start of the sessions in these tests. */
const began = Date.now() - 30 * minute;

type Change = Readonly<Record<string, unknown>>;

/** Creates a stream with a session of ten minutes. */
async function makeRecording(owner: Person, change: Change = {}) {
  const response = await api.request('POST', '/api/stream', {
    key: owner.key,
    body: { name: 'Town hall', record: true },
  });
  const { id: parentId, playbackId } = (await response.json()) as { id: string; playbackId: string };
  const session = await db.session.create({
    data: {
      teamId: owner.teamId,
      parentId,
      name: 'Town hall',
      playbackId,
      record: true,
      recording: 'ready',
      state: 'ended',
      createdAt: new Date(began),
      lastSeen: new Date(began + 10 * minute),
      ...change,
    },
  });
  return { streamId: parentId, playbackId, sessionId: session.id };
}

async function refusal(owner: Person, body: object): Promise<[number, string]> {
  const response = await api.request('POST', '/api/clip', { key: owner.key, body });
  const { errors } = (await response.json()) as { errors?: string[] };
  return [response.status, errors?.[0] ?? ''];
}

test('the npm package livepeer creates and lists clips', async () => {
  const ada = await api.person('sdk');
  const livepeer = livepeerClient(ada.key);
  const { streamId, playbackId, sessionId } = await makeRecording(ada);
  const range = { startTime: began + minute, endTime: began + 2 * minute };
  const created = await livepeer.stream.createClip({ playbackId, sessionId, name: 'A minute', ...range });
  expect(created.statusCode).toBe(200);
  const { asset, task } = created.data ?? {};
  expect(asset).toMatchObject({ name: 'A minute', source: { type: 'clip', playbackId, sessionId } });
  expect((await livepeer.stream.getClips(streamId)).data?.map(({ id }) => id)).toEqual([asset?.id]);
  expect((await livepeer.session.getClips(sessionId)).data?.map(({ id }) => id)).toEqual([asset?.id]);
  expect((await livepeer.task.get(task?.id ?? '')).task).toMatchObject({
    type: 'clip',
    outputAssetId: asset?.id,
    params: { clip: { sessionId, clipStrategy: { playbackId, ...range } } },
  });
});

describe('the source of a clip', () => {
  test('is the newest recording that started before the end, unless a session is named', async () => {
    const ada = await api.person('newest');
    const { streamId, playbackId, sessionId } = await makeRecording(ada);
    const next = { teamId: ada.teamId, parentId: streamId, name: 'Evening', playbackId, record: true };
    await db.session.create({
      data: {
        ...next,
        recording: 'recording',
        createdAt: new Date(began + 20 * minute),
        lastSeen: new Date(),
      },
    });
    const clip = async (body: object) => {
      const response = await api.request('POST', '/api/clip', {
        key: ada.key,
        body: { playbackId, ...body },
      });
      return ((await response.json()) as { asset: object }).asset;
    };
    expect(await clip({ startTime: began + 25 * minute })).toMatchObject({ name: 'Evening' });
    expect(await clip({ startTime: began + minute, endTime: began + 2 * minute })).toMatchObject({
      name: 'Town hall',
      source: { sessionId },
    });
    expect(await clip({ startTime: began + minute, endTime: began + 2 * minute, sessionId })).toMatchObject({
      source: { sessionId },
    });
  });

  test('determines who may watch the clip', async () => {
    const ada = await api.person('policy');
    const playbackPolicy = { type: 'password' };
    const { playbackId } = await makeRecording(ada, { playbackPolicy, playbackPasswordHash: 'h' });
    const body = { playbackId, startTime: began, endTime: began + minute };
    const response = await api.request('POST', '/api/clip', { key: ada.key, body });
    const { asset } = (await response.json()) as { asset: { id: string; playbackPolicy: object } };
    expect(asset.playbackPolicy).toEqual(playbackPolicy);
    expect(await db.asset.findUniqueOrThrow({ where: { id: asset.id } })).toMatchObject({
      playbackPasswordHash: 'h',
    });
  });

  test('deleting a clip keeps the recording that it was cut from', async () => {
    const ada = await api.person('deletes');
    const { playbackId, sessionId } = await makeRecording(ada);
    const body = { playbackId, startTime: began, endTime: began + minute };
    const response = await api.request('POST', '/api/clip', { key: ada.key, body });
    const { asset } = (await response.json()) as { asset: { id: string } };
    expect((await api.request('DELETE', `/api/asset/${asset.id}`, { key: ada.key })).status).toBe(204);
    expect(await db.session.findUniqueOrThrow({ where: { id: sessionId } })).toMatchObject({
      recording: 'ready',
    });
  });
});

describe('refusals', () => {
  test.each([
    [
      'an end before the start',
      { startTime: began + 2 * minute, endTime: began + minute },
      'endTime: must be after',
    ],
    [
      'an end before the recording',
      { startTime: 0, endTime: began },
      'startTime: nothing was recorded at this time',
    ],
    ['a start after the recording', { startTime: began + 11 * minute }, 'startTime: is after the end'],
    ['less than a second', { startTime: began, endTime: began + 999 }, 'at least 1 second'],
    ['more than an hour', { startTime: began - 61 * minute, endTime: began + minute }, 'at most 60 minutes'],
    ['no number', { startTime: 'now' }, 'startTime'],
    ['an unknown field', { startTime: began, from: 1 }, 'from'],
  ])('%s: 422', async (_, range, text) => {
    const ada = await api.person('refused');
    const { playbackId } = await makeRecording(ada);
    const [status, message] = await refusal(ada, { playbackId, ...range });
    expect([status, message]).toEqual([422, expect.stringContaining(text)]);
  });

  test.each([
    ['that was not recorded', { record: false, recording: 'none' }],
    ['whose recording was deleted', { recording: 'deleted' }],
  ])('a session %s: 422', async (_, change) => {
    const ada = await api.person('none');
    const { playbackId, sessionId } = await makeRecording(ada, change);
    const body = { playbackId, startTime: began, endTime: began + minute };
    expect((await refusal(ada, body))[0]).toBe(422);
    expect(await refusal(ada, { ...body, sessionId })).toEqual([
      422,
      'sessionId: this session has no recording',
    ]);
  });

  test('objects of another team: 404, for clips and their lists', async () => {
    const ada = await api.person('foreign');
    const { streamId, playbackId, sessionId } = await makeRecording(ada);
    const eveRecording = await makeRecording(eve);
    const range = { startTime: began, endTime: began + minute };
    expect((await refusal(eve, { playbackId, ...range }))[0]).toBe(404);
    expect((await refusal(eve, { playbackId: eveRecording.playbackId, sessionId, ...range }))[0]).toBe(404);
    expect((await refusal(eve, { playbackId: newPlaybackId(), ...range }))[0]).toBe(404);
    const film = { name: 'film', playbackId: newPlaybackId(), sourceType: 'url', phase: 'ready' } as const;
    const videoSpec = { format: 'mp4', duration: 600, tracks: [] };
    await db.asset.create({ data: { ...film, teamId: ada.teamId, videoSpec } });
    const part = { playbackId: film.playbackId, startTime: 0, endTime: minute };
    expect((await refusal(eve, part))[0]).toBe(404);
    expect((await refusal(ada, part))[0]).toBe(200);
    for (const path of [`stream/${streamId}`, `session/${sessionId}`])
      expect((await api.request('GET', `/api/${path}/clips`, { key: eve.key })).status).toBe(404);
  });

  test('an asset that is not ready: 412', async () => {
    const ada = await api.person('unready');
    const playbackId = newPlaybackId();
    await db.asset.create({ data: { teamId: ada.teamId, name: 'x', playbackId, sourceType: 'url' } });
    expect((await refusal(ada, { playbackId, startTime: 0, endTime: minute }))[0]).toBe(412);
  });

  test('more concurrent clips than allowed: 403, also for concurrent requests', async () => {
    const ada = await api.person('many');
    const { playbackId } = await makeRecording(ada);
    const body = { playbackId, startTime: began, endTime: began + minute };
    const results = await Promise.all(
      Array.from({ length: clipLimits.running + 2 }, () =>
        api.request('POST', '/api/clip', { key: ada.key, body }),
      ),
    );
    const statuses = results.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: clipLimits.running }, () => 200), 403, 403]);
    await db.task.updateMany({ where: { teamId: ada.teamId }, data: { phase: 'completed' } });
    expect((await api.request('POST', '/api/clip', { key: ada.key, body })).status).toBe(200);
  });
});
