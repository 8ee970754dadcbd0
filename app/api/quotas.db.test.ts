import { describe, expect, test } from 'vitest';
import type { Overview } from '@/lib/contract/accounts/overview';
import type { QuotasForMembers, TeamQuotas } from '@/lib/contract/accounts/quotas';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { readExhaustedTeams, readUploadLimit } from '@/lib/domain/quotas';
import { startOrResumeSession } from '@/lib/domain/sessions';
import { readLiveSettings } from '@/lib/domain/streams';
import { transact, type SystemContext } from '@/lib/domain/context';
import { baseUrl, openTestApi, type Person } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, settings } = api.services;
const operator = await api.createPerson('operator');
Object.assign(settings, { operatorEmails: [operator.email] });
const system: SystemContext = { ...api.services, actor: { kind: 'system' } };

const asOperator = { cookie: operator.cookie, origin: baseUrl };
const quotaPath = ({ teamId }: Person) => `/api/admin/teams/${teamId}/quotas`;
const setQuotas = async (person: Person, body: object): Promise<TeamQuotas> => {
  const response = await api.request('PATCH', quotaPath(person), { ...asOperator, body });
  expect(response.status).toBe(200);
  return (await response.json()) as TeamQuotas;
};
const readJson = async <T>(person: Person, path: string): Promise<T> =>
  (await (await api.request('GET', path, { key: person.key })).json()) as T;
const post = async (person: Person, path: string, body: object) => {
  const response = await api.request('POST', path, { key: person.key, body });
  const { errors } = (await response.json()) as { errors?: string[] };
  return [response.status, errors?.[0]] as const;
};
const insertAssetOfSize = ({ teamId }: Person, bytes: bigint) =>
  db.asset.create({
    data: { teamId, name: 'x', playbackId: newPlaybackId(), sourceType: 'url', storedBytes: bytes },
  });
const profile = (name: string, height: number) => ({
  name,
  width: height * 2,
  height,
  bitrate: 500_000,
  fps: 30,
});

describe('quotas set by operators', () => {
  test('apply to one team instead of the default of the service', async () => {
    const person = await api.createPerson('a');
    const defaultQuotas = {
      liveStreams: null,
      storageBytes: null,
      uploadBytes: null,
      renditions: null,
      viewerBytes: null,
    };
    expect(await readJson(person, '/api/user/quotas')).toEqual({ limits: defaultQuotas, uses: [] });
    Object.assign(settings, { quotas: { ...defaultQuotas, liveStreams: 2, renditions: 1 } });
    try {
      const { own, effective } = await setQuotas(person, { liveStreams: 'unlimited', storageBytes: 1_000 });
      expect(own).toEqual({ ...defaultQuotas, liveStreams: 'unlimited', storageBytes: 1_000 });
      expect(effective).toEqual({ ...defaultQuotas, storageBytes: 1_000, renditions: 1 });
      const keptQuotas = await setQuotas(person, { storageBytes: null });
      expect(keptQuotas.own).toEqual({ ...defaultQuotas, liveStreams: 'unlimited' });
      await setQuotas(person, { liveStreams: null });
      expect(await db.teamQuota.count({ where: { teamId: person.teamId } })).toBe(0);
      const { limits } = await readJson<QuotasForMembers>(person, '/api/user/quotas');
      expect(limits).toEqual({ ...defaultQuotas, liveStreams: 2, renditions: 1 });
    } finally {
      Object.assign(settings, { quotas: defaultQuotas });
    }
  });

  test.each([{ liveStreams: -1 }, { liveStreams: 1.5 }, { storageBytes: 'much' }, { other: 1 }])(
    'are rejected with an invalid field: %j',
    async (body) => {
      const path = quotaPath(await api.createPerson('b'));
      expect((await api.request('PATCH', path, { ...asOperator, body })).status).toBe(422);
    },
  );

  test('are not found for a team that does not exist', async () => {
    const path = `/api/admin/teams/${newId()}/quotas`;
    expect((await api.request('PATCH', path, { ...asOperator, body: {} })).status).toBe(404);
    expect((await api.request('GET', path, asOperator)).status).toBe(404);
  });
});

describe('storage', () => {
  const upload = { name: 'film.mp4' };

  test('at its limit rejects uploads and imports with 402, the usage and the limit', async () => {
    const person = await api.createPerson('c');
    await setQuotas(person, { storageBytes: 10_000_000_000 });
    expect((await post(person, '/api/asset/request-upload', upload))[0]).toBe(200);
    const { id } = await insertAssetOfSize(person, 10_200_000_000n);
    const message =
      'storage: 10.2 GB of 10 GB are used. Delete assets, or ask the operator of this service for more.';
    expect(await post(person, '/api/asset/request-upload', upload)).toEqual([402, message]);
    const film = { name: 'film', url: 'https://files.example.com/film.mp4' };
    expect(await post(person, '/api/asset/import', film)).toEqual([402, message]);
    await db.asset.update({ where: { id }, data: { deletedAt: new Date(), bytesRemovedAt: new Date() } });
    expect((await post(person, '/api/asset/request-upload', upload))[0]).toBe(200);
  });

  test('from 80 % of the limit on has a notice on the home page', async () => {
    const person = await api.createPerson('d');
    await setQuotas(person, { storageBytes: 1_000 });
    await insertAssetOfSize(person, 799n);
    const attention = async () => (await readJson<Overview>(person, '/api/user/overview')).attention;
    expect(await attention()).toEqual([]);
    await insertAssetOfSize(person, 1n);
    expect(await attention()).toMatchObject([
      { kind: 'quota', name: 'storageBytes', message: '800 bytes of 1 kB are used' },
    ]);
    const { uses } = await readJson<QuotasForMembers>(person, '/api/user/quotas');
    expect(uses).toEqual([{ name: 'storageBytes', limit: 1_000, used: 800, state: 'warned' }]);
  });

  test('at its limit prevents the recording of a new session, and the session has the reason', async () => {
    const person = await api.createPerson('e');
    const body = { name: 'recorded', record: true };
    const response = await api.request('POST', '/api/stream', { key: person.key, body });
    const { id } = (await response.json()) as { id: string };
    const startSession = async () => {
      const stream = await db.stream.findUniqueOrThrow({ where: { id } });
      return (await transact(system, (tx) => startOrResumeSession(tx, stream))).sessionId;
    };
    await setQuotas(person, { storageBytes: 1_000 });
    await insertAssetOfSize(person, 1_000n);
    const sessionId = await startSession();
    const rejected = 'The session is not recorded. storage: 1 kB of 1 kB are used.';
    const row = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(row.record).toBe(false);
    expect(row.recordingError).toContain(rejected);
    const live = await readLiveSettings(system, { streamId: id, sessionId });
    expect(live.recordRejected).toContain(rejected);
    expect(live).not.toHaveProperty('recordNext');
  });
});

describe('renditions', () => {
  test('above the limit are rejected with 403, and an existing list may stay', async () => {
    const person = await api.createPerson('f');
    const profiles = [profile('a', 180), profile('b', 270)];
    const response = await api.request('POST', '/api/stream', {
      key: person.key,
      body: { name: 'x', profiles },
    });
    const { id } = (await response.json()) as { id: string };
    await setQuotas(person, { renditions: 1 });
    const rejected = [403, 'profiles: 2 are more than the limit of 1 renditions for one stream'];
    expect(await post(person, '/api/stream', { name: 'x', profiles })).toEqual(rejected);
    const patch = async (body: object) =>
      (await api.request('PATCH', `/api/stream/${id}`, { key: person.key, body })).status;
    expect(await patch({ profiles })).toBe(204);
    expect(await patch({ profiles: [...profiles, profile('c', 360)] })).toBe(403);
    const row = await db.stream.findUniqueOrThrow({ where: { id } });
    const { sessionId } = await transact(system, (tx) => startOrResumeSession(tx, row));
    expect(await readLiveSettings(system, { streamId: id, sessionId })).toMatchObject({ maxRenditions: 1 });
  });
});

test('the size of an upload is limited by the quota of the team or the setting of the service, whichever is smaller', async () => {
  const person = await api.createPerson('g');
  const { id } = await insertAssetOfSize(person, 0n);
  expect(await readUploadLimit(system, id)).toBe(settings.maxUploadBytes);
  await setQuotas(person, { uploadBytes: 5_000 });
  expect(await readUploadLimit(system, id)).toBe(5_000);
  await setQuotas(person, { uploadBytes: 2 ** 50 });
  expect(await readUploadLimit(system, id)).toBe(settings.maxUploadBytes);
});

test('a team over its delivery quota of the month is exhausted until the limit is raised', async () => {
  const [person, other] = [await api.createPerson('h'), await api.createPerson('i')];
  /** A day of this month; 0 is the last day of the previous month, whose delivery does not count. */
  const day = (dayOfMonth: number) => {
    const now = api.services.clock.now();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), dayOfMonth));
  };
  for (const [deliveredOn, bytes] of [
    [day(0), 5_000n],
    [day(1), 900n],
  ] as const) {
    for (const { teamId } of [person, other])
      await db.deliveredDay.create({
        data: { teamId, day: deliveredOn, objectId: newId(), nodeId: newId(), bytes, seconds: 0, batch: 1 },
      });
  }
  const readExhausted = () => readExhaustedTeams(system);
  await setQuotas(person, { viewerBytes: 901 });
  expect((await readExhausted()).has(person.teamId)).toBe(false);
  await setQuotas(person, { viewerBytes: 900 });
  expect((await readExhausted()).get(person.teamId)).toEqual({ limit: 900, used: 900 });
  expect((await readExhausted()).has(other.teamId)).toBe(false);
  await setQuotas(person, { viewerBytes: 'unlimited' });
  expect((await readExhausted()).has(person.teamId)).toBe(false);
});
