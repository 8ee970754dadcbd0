import { beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '@/lib/contract/sessions/session';
import type { Stream } from '@/lib/contract/streams/stream';
import { newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const eve = await api.createPerson('eve');
const startMs = Date.UTC(2026, 0, 1);

async function createParent(person: Person = ada): Promise<Stream> {
  const response = await api.request('POST', '/api/stream', { key: person.key, body: { name: 'parent' } });
  return (await response.json()) as Stream;
}

/** Inserts an ended session. One without media (`mediaSeconds` null) was never seen. */
async function insertSession(
  stream: Stream,
  name: string,
  mediaSeconds: number | null,
  more: object = {},
): Promise<string> {
  const row = await db.session.create({
    data: {
      teamId: stream.userId,
      parentId: stream.id,
      playbackId: stream.playbackId,
      name,
      createdAt: new Date(startMs),
      state: 'ended',
      lastSeen: mediaSeconds === null ? null : new Date(startMs + mediaSeconds * 1_000),
      sourceSegmentsDuration: mediaSeconds ?? 0,
      ...more,
    },
  });
  return row.id;
}

async function listSessions(path: string, person: Person = ada) {
  const response = await api.request('GET', path, { key: person.key });
  expect(response.status).toBe(200);
  return { response, sessions: (await response.json()) as Session[] };
}

const listNames = async (path: string) => (await listSessions(path)).sessions.map(({ name }) => name);

describe('sessions', () => {
  let first: Stream;
  let second: Stream;

  beforeAll(async () => {
    [first, second] = [await createParent(), await createParent()];
    await insertSession(first, 'silent', null, { record: true, recording: 'empty' });
    await insertSession(first, 'long', 90, { record: true });
    await insertSession(first, 'short', 10);
    await insertSession(second, 'other', 50, { record: true, state: 'live' });
    await db.stream.update({ where: { id: second.id }, data: { isActive: true } });
    await insertSession(await createParent(eve), 'not hers', 99);
  });

  const allNames = ['long', 'other', 'short', 'silent'];

  test.each<[string, string[]]>([
    ['', allNames],
    ['?limit=2', ['long', 'other']],
    // The suffix -true means descending.
    ['?order=name-true', ['silent', 'short', 'other', 'long']],
    ['?name=asc', ['long', 'other', 'short', 'silent']],
    ['?filters=[{"id":"record","value":true}]', ['long', 'other', 'silent']],
    ['?filters=[{"id":"sourceSegmentsDuration","value":{"gte":50}}]', ['long', 'other']],
    ['?parentId=no-id', []],
    ['?parentId=', allNames],
  ])('GET /api/session%s lists the sessions that match, in order', async (query, expected) => {
    expect(await listNames(`/api/session${query}`)).toEqual(expected);
  });

  test('of one parent are listed by query and by path, and the path omits sessions without media', async () => {
    expect(await listNames(`/api/session?parentId=${first.id}`)).toEqual(['long', 'short', 'silent']);
    expect(await listNames(`/api/stream/${first.id}/sessions`)).toEqual(['long', 'short']);
  });

  test.each<[string, string[]]>([
    ['record=1', ['long']],
    ['record=true', ['long']],
    ['record=0', ['short']],
    ['record=false', ['short']],
    ['record=', ['long', 'short']],
    ['record=maybe', ['long', 'short']],
    ['count=1&limit=1', ['long']],
  ])('of one parent are filtered by the query %s', async (query, expected) => {
    expect(await listNames(`/api/stream/${first.id}/sessions?${query}`)).toEqual(expected);
  });

  test('the sessions of one parent have a total count and a Link to the next page', async () => {
    const { response } = await listSessions(`/api/stream/${first.id}/sessions?limit=1&count=1`);
    expect(response.headers.get('x-total-count')).toBe('2');
    expect(response.headers.get('link')).toContain(`/api/stream/${first.id}/sessions?`);
  });

  test('are returned by their id as in the list', async () => {
    const { sessions } = await listSessions('/api/session');
    expect(sessions).toHaveLength(allNames.length);
    for (const session of sessions) {
      const read = await api.request('GET', `/api/session/${session.id}`, { key: ada.key });
      expect(await read.json()).toEqual(session);
    }
  });

  test('have their activity and the status of their recording', async () => {
    const { sessions } = await listSessions('/api/session');
    expect(sessions.map(({ isActive }) => isActive)).toEqual([false, true, false, false]);
    expect(sessions.map(({ recordingStatus }) => recordingStatus)).toEqual([
      'waiting',
      'waiting',
      undefined,
      'none',
    ]);
  });

  test('parents that are deleted or of another team, and sessions of another team, are not found', async () => {
    const [adasSession] = (await listSessions('/api/session')).sessions;
    for (const path of [`/api/session/${adasSession?.id ?? ''}`, `/api/stream/${first.id}/sessions`]) {
      expect((await api.request('GET', path, { key: eve.key })).status).toBe(404);
    }
    expect((await listSessions(`/api/session?parentId=${first.id}`, eve)).sessions).toEqual([]);
    const deletedParent = await createParent();
    await api.request('DELETE', `/api/stream/${deletedParent.id}`, { key: ada.key });
    for (const id of [deletedParent.id, crypto.randomUUID(), 'x']) {
      expect((await api.request('GET', `/api/stream/${id}/sessions`, { key: ada.key })).status).toBe(404);
    }
  });

  test('have no endpoint that writes at the path of their id', async () => {
    const [session] = (await listSessions('/api/session')).sessions;
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST']) {
      const response = await api.request(method, `/api/session/${session?.id ?? ''}`, {
        key: ada.key,
        body: {},
      });
      expect(response.status).toBe(405);
    }
  });
});

describe('the stream object of a session', () => {
  async function createParentWithChild(): Promise<{ parentStream: Stream; childId: string }> {
    const parentStream = await createParent();
    const childId = await insertSession(parentStream, 'child', 5);
    await db.stream.create({
      data: {
        id: childId,
        teamId: ada.teamId,
        parentId: parentStream.id,
        name: 'child',
        playbackId: newPlaybackId(),
      },
    });
    return { parentStream, childId };
  }

  test('is read and listed without a key; lists can omit it', async () => {
    const { parentStream, childId } = await createParentWithChild();
    const read = await api.request('GET', `/api/stream/${childId}`, { key: ada.key });
    const child = (await read.json()) as Stream;
    expect(child).toMatchObject({ parentId: parentStream.id, kind: 'stream', multistream: { targets: [] } });
    expect(child).not.toHaveProperty('streamKey');
    const ids = async (query: string) => {
      const response = await api.request('GET', `/api/stream${query}`, { key: ada.key });
      return ((await response.json()) as Stream[]).map(({ id }) => id);
    };
    expect(await ids('')).toEqual(expect.arrayContaining([parentStream.id, childId]));
    expect(await ids('?streamsonly=1')).not.toContain(childId);
    expect(await ids('?sessionsonly=1')).toContain(childId);
    expect(await ids('?sessionsonly=1')).not.toContain(parentStream.id);
  });

  test('cannot be changed: 400 without effect', async () => {
    const { childId } = await createParentWithChild();
    const before = await db.stream.findUnique({ where: { id: childId } });
    const responses = [
      await api.request('PATCH', `/api/stream/${childId}`, { key: ada.key, body: { record: true } }),
      await api.request('PATCH', `/api/stream/${childId}`, { key: ada.key, body: {} }),
      await api.request('PATCH', `/api/stream/${childId}/record`, { key: ada.key, body: { record: true } }),
      await api.request('DELETE', `/api/stream/${childId}/terminate`, { key: ada.key }),
      await api.request('POST', `/api/stream/${childId}/create-multistream-target`, {
        key: ada.key,
        body: { profile: 'source', spec: { url: 'rtmp://live.example.com/x' } },
      }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await responses[0]?.json()).toMatchObject({ errors: ["can't patch stream session"] });
    expect(await db.stream.findUnique({ where: { id: childId } })).toEqual(before);
  });

  test('does not play, and is deleted with its parent while its session stays', async () => {
    const { parentStream, childId } = await createParentWithChild();
    const { playbackId } = await db.stream.findUniqueOrThrow({ where: { id: childId } });
    expect((await api.request('GET', `/api/playback/${playbackId}`)).status).toBe(404);
    await api.request('DELETE', `/api/stream/${parentStream.id}`, { key: ada.key });
    expect((await api.request('GET', `/api/stream/${childId}`, { key: ada.key })).status).toBe(404);
    expect((await api.request('GET', `/api/session/${childId}`, { key: ada.key })).status).toBe(200);
  });
});
