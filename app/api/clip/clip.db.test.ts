import { describe, expect, test } from 'vitest';
import { createLivepeerClient } from '@/app/api/testing/livepeer-client';
import { openTestApi, type Person } from '@/app/api/testing/test-api';
import { clipLimits } from '@/lib/core/sessions/clip-range';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const eve = await api.createPerson('eve');
const MINUTE_MS = 60_000;
/** Start of the recorded sessions in these tests. */
const sessionStart = Date.now() - 30 * MINUTE_MS;

type SessionChanges = Readonly<Record<string, unknown>>;

/** Creates a stream with a session of ten minutes. */
async function createRecording(owner: Person, changes: SessionChanges = {}) {
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
      createdAt: new Date(sessionStart),
      lastSeen: new Date(sessionStart + 10 * MINUTE_MS),
      ...changes,
    },
  });
  return { streamId: parentId, playbackId, sessionId: session.id };
}

/** Requests a clip, and returns the status and the first error; an empty text for an accepted clip. */
async function requestClip(owner: Person, body: object): Promise<[number, string]> {
  const response = await api.request('POST', '/api/clip', { key: owner.key, body });
  const { errors } = (await response.json()) as { errors?: string[] };
  return [response.status, errors?.[0] ?? ''];
}

test('the npm package livepeer creates and lists clips', async () => {
  const ada = await api.createPerson('sdk');
  const livepeer = createLivepeerClient(ada.key);
  const { streamId, playbackId, sessionId } = await createRecording(ada);
  const range = { startTime: sessionStart + MINUTE_MS, endTime: sessionStart + 2 * MINUTE_MS };
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
  test('is the newest recording that started before the end of the clip, unless the request names a session', async () => {
    const ada = await api.createPerson('newest');
    const { streamId, playbackId, sessionId } = await createRecording(ada);
    const next = { teamId: ada.teamId, parentId: streamId, name: 'Evening', playbackId, record: true };
    await db.session.create({
      data: {
        ...next,
        recording: 'recording',
        createdAt: new Date(sessionStart + 20 * MINUTE_MS),
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
    expect(await clip({ startTime: sessionStart + 25 * MINUTE_MS })).toMatchObject({ name: 'Evening' });
    expect(
      await clip({ startTime: sessionStart + MINUTE_MS, endTime: sessionStart + 2 * MINUTE_MS }),
    ).toMatchObject({
      name: 'Town hall',
      source: { sessionId },
    });
    expect(
      await clip({ startTime: sessionStart + MINUTE_MS, endTime: sessionStart + 2 * MINUTE_MS, sessionId }),
    ).toMatchObject({
      source: { sessionId },
    });
  });

  test('determines who may watch the clip', async () => {
    const ada = await api.createPerson('policy');
    const playbackPolicy = { type: 'password' };
    const { playbackId } = await createRecording(ada, { playbackPolicy, playbackPasswordHash: 'h' });
    const body = { playbackId, startTime: sessionStart, endTime: sessionStart + MINUTE_MS };
    const response = await api.request('POST', '/api/clip', { key: ada.key, body });
    const { asset } = (await response.json()) as { asset: { id: string; playbackPolicy: object } };
    expect(asset.playbackPolicy).toEqual(playbackPolicy);
    expect(await db.asset.findUniqueOrThrow({ where: { id: asset.id } })).toMatchObject({
      playbackPasswordHash: 'h',
    });
  });

  test('remains when the clip is deleted', async () => {
    const ada = await api.createPerson('deletes');
    const { playbackId, sessionId } = await createRecording(ada);
    const body = { playbackId, startTime: sessionStart, endTime: sessionStart + MINUTE_MS };
    const response = await api.request('POST', '/api/clip', { key: ada.key, body });
    const { asset } = (await response.json()) as { asset: { id: string } };
    expect((await api.request('DELETE', `/api/asset/${asset.id}`, { key: ada.key })).status).toBe(204);
    expect(await db.session.findUniqueOrThrow({ where: { id: sessionId } })).toMatchObject({
      recording: 'ready',
    });
  });
});

describe('the endpoint rejects', () => {
  test.each([
    [
      'an end before the start',
      { startTime: sessionStart + 2 * MINUTE_MS, endTime: sessionStart + MINUTE_MS },
      'endTime: must be after',
    ],
    [
      'an end before the recording',
      { startTime: 0, endTime: sessionStart },
      'startTime: nothing was recorded at this time',
    ],
    [
      'a start after the recording',
      { startTime: sessionStart + 11 * MINUTE_MS },
      'startTime: is after the end',
    ],
    ['less than a second', { startTime: sessionStart, endTime: sessionStart + 999 }, 'at least 1 second'],
    [
      'more than an hour',
      { startTime: sessionStart - 61 * MINUTE_MS, endTime: sessionStart + MINUTE_MS },
      'at most 60 minutes',
    ],
    ['no number', { startTime: 'now' }, 'startTime'],
    ['an unknown field', { startTime: sessionStart, from: 1 }, 'from'],
  ])('%s: 422', async (_, range, text) => {
    const ada = await api.createPerson('rejected');
    const { playbackId } = await createRecording(ada);
    const [status, message] = await requestClip(ada, { playbackId, ...range });
    expect([status, message]).toEqual([422, expect.stringContaining(text)]);
  });

  test.each([
    ['that was not recorded', { record: false, recording: 'none' }],
    ['whose recording was deleted', { recording: 'deleted' }],
  ])('a session %s: 422', async (_, change) => {
    const ada = await api.createPerson('none');
    const { playbackId, sessionId } = await createRecording(ada, change);
    const body = { playbackId, startTime: sessionStart, endTime: sessionStart + MINUTE_MS };
    expect((await requestClip(ada, body))[0]).toBe(422);
    expect(await requestClip(ada, { ...body, sessionId })).toEqual([
      422,
      'sessionId: this session has no recording',
    ]);
  });

  test('objects of another team: 404, for clips and their lists', async () => {
    const ada = await api.createPerson('foreign');
    const { streamId, playbackId, sessionId } = await createRecording(ada);
    const eveRecording = await createRecording(eve);
    const range = { startTime: sessionStart, endTime: sessionStart + MINUTE_MS };
    expect((await requestClip(eve, { playbackId, ...range }))[0]).toBe(404);
    expect((await requestClip(eve, { playbackId: eveRecording.playbackId, sessionId, ...range }))[0]).toBe(
      404,
    );
    expect((await requestClip(eve, { playbackId: newPlaybackId(), ...range }))[0]).toBe(404);
    const video = { name: 'video', playbackId: newPlaybackId(), sourceType: 'url', phase: 'ready' } as const;
    const videoSpec = { format: 'mp4', duration: 600, tracks: [] };
    await db.asset.create({ data: { ...video, teamId: ada.teamId, videoSpec } });
    const clipOfVideo = { playbackId: video.playbackId, startTime: 0, endTime: MINUTE_MS };
    expect((await requestClip(eve, clipOfVideo))[0]).toBe(404);
    expect((await requestClip(ada, clipOfVideo))[0]).toBe(200);
    for (const path of [`stream/${streamId}`, `session/${sessionId}`])
      expect((await api.request('GET', `/api/${path}/clips`, { key: eve.key })).status).toBe(404);
  });

  test('an asset that is not ready: 412', async () => {
    const ada = await api.createPerson('unready');
    const playbackId = newPlaybackId();
    await db.asset.create({ data: { teamId: ada.teamId, name: 'x', playbackId, sourceType: 'url' } });
    expect((await requestClip(ada, { playbackId, startTime: 0, endTime: MINUTE_MS }))[0]).toBe(412);
  });

  test('more clips in progress than allowed: 403, even if they are requested at the same time', async () => {
    const ada = await api.createPerson('many');
    const { playbackId } = await createRecording(ada);
    const body = { playbackId, startTime: sessionStart, endTime: sessionStart + MINUTE_MS };
    const results = await Promise.all(
      Array.from({ length: clipLimits.maxRunning + 2 }, () =>
        api.request('POST', '/api/clip', { key: ada.key, body }),
      ),
    );
    const statuses = results.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: clipLimits.maxRunning }, () => 200), 403, 403]);
    await db.task.updateMany({ where: { teamId: ada.teamId }, data: { phase: 'completed' } });
    expect((await api.request('POST', '/api/clip', { key: ada.key, body })).status).toBe(200);
  });
});
