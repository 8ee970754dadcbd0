import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { HOUR_MS } from '@/lib/core/units';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { deleteStream, expireHealthSamples, getHealth, recordHealth, type HealthRecord } from './index';

const { ctx: system, db, createTeam, createStream } = createLiveFixtures(await createTestDatabase());
const teamId = await createTeam();
const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId } };

const createSample = (streamId: string, change: Partial<HealthRecord> = {}): HealthRecord => ({
  streamId,
  sessionId: newId(),
  ageMs: 0,
  minute: false,
  bitrate: 2_128_000,
  videoBitrate: 2_000_000,
  audioBitrate: 128_000,
  video: { codec: 'h264', width: 1280, height: 720 },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  fps: 29.97,
  keyframeInterval: 2.002,
  reorder: 66,
  jumps: 0,
  drift: -4,
  speed: 1.0004,
  transcodeSpeed: 0.987_654,
  lateness: 40.4,
  silence: 34,
  ...change,
});
const createLiveStream = () => createStream(teamId, { isActive: true });
/** Ages of the samples of a stream in hours, oldest first. */
const agesOf = async (streamId: string) =>
  (await db.streamHealth.findMany({ where: { streamId }, orderBy: { at: 'asc' } })).map(({ at }) =>
    Math.round((Date.now() - at.getTime()) / HOUR_MS),
  );

describe('health samples', () => {
  test('are returned oldest first, with the current one', async () => {
    const [stream, streamWithoutValues] = [await createLiveStream(), await createLiveStream()];
    await recordHealth(system, [
      createSample(stream.id, { ageMs: 5_000, bitrate: 1 }),
      createSample(stream.id),
      createSample(streamWithoutValues.id, {
        video: null,
        audio: null,
        fps: null,
        keyframeInterval: null,
        drift: null,
        transcodeSpeed: null,
        lateness: null,
      }),
    ]);
    const health = await getHealth(ctx, stream.id, {});
    expect(health).toMatchObject({ isActive: true, isHealthy: null, issues: null, interval: 5_000 });
    expect(health.samples.map(({ bitrate }) => bitrate)).toEqual([1, 2_128_000]);
    expect(health.latest).toMatchObject({
      video: { codec: 'h264', width: 1280, height: 720 },
      audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
      fps: 29.97,
      keyframeInterval: 2.002,
      drift: -4,
      speed: 1,
      transcodeSpeed: 0.988,
      lateness: 40,
      silence: 34,
    });
    const emptyValues = { video: null, audio: null, fps: null, keyframeInterval: null, drift: null };
    expect((await getHealth(ctx, streamWithoutValues.id, {})).latest).toMatchObject({
      ...emptyValues,
      transcodeSpeed: null,
      lateness: null,
    });
  });

  test('are summarized to fewer points: means, sums and worst values', async () => {
    const { id } = await createLiveStream();
    const records = Array.from({ length: 120 }, (_, index) =>
      createSample(id, {
        ageMs: index * 30_000,
        bitrate: index % 2 === 0 ? 1_000 : 3_000,
        keyframeInterval: index % 2 === 0 ? 2 : 8,
        transcodeSpeed: index % 2 === 0 ? 1 : 0.5,
        jumps: 1,
      }),
    );
    await recordHealth(system, records);
    const { samples, interval } = await getHealth(ctx, id, { minutes: '60', points: '10' });
    // An hour in ten points: each of 360 s, with 12 samples.
    expect(interval).toBe(360_000);
    expect(samples.length).toBeGreaterThanOrEqual(10);
    expect(samples.length).toBeLessThanOrEqual(11);
    expect(samples[5]).toMatchObject({ bitrate: 2_000, keyframeInterval: 8, transcodeSpeed: 0.5, jumps: 12 });
    expect(samples.reduce((sum, { jumps }) => sum + jumps, 0)).toBe(120);
  });

  test('can be read per session and per period', async () => {
    const { id } = await createLiveStream();
    const child = await createStream(teamId, { parentId: id });
    await recordHealth(system, [
      createSample(id, { sessionId: child.id, ageMs: 60_000, bitrate: 7 }),
      createSample(id, { ageMs: 30_000 }),
    ]);
    expect((await getHealth(ctx, child.id, {})).samples.map(({ bitrate }) => bitrate)).toEqual([7]);
    const [from, to] = [String(Date.now() - 70_000), String(Date.now() - 50_000)];
    expect((await getHealth(ctx, id, { from, to })).samples.map(({ bitrate }) => bitrate)).toEqual([7]);
  });

  test('that are old or of an idle stream are not current', async () => {
    const [activeStream, idleStream] = [await createLiveStream(), await createStream(teamId)];
    await recordHealth(system, [
      createSample(activeStream.id, { ageMs: 20_000 }),
      createSample(idleStream.id),
    ]);
    expect((await getHealth(ctx, activeStream.id, {})).latest).toBeNull();
    expect((await getHealth(ctx, idleStream.id, {})).latest).toBeNull();
  });

  test('are visible to their owner only, and invalid queries are rejected', async () => {
    const { id } = await createLiveStream();
    const otherTeam: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };
    await expect(getHealth(otherTeam, id, {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(getHealth(ctx, id, { minutes: '99999' })).rejects.toMatchObject({ code: 'bad_request' });
  });
});

test('health samples of deleted streams are ignored, and out-of-range values do not affect other samples', async () => {
  const [existingStream, deletedStream] = [
    await createLiveStream(),
    await createStream(teamId, { deletedAt: new Date() }),
  ];
  const outOfRange = { bitrate: 1e12, reorder: -1e12, drift: 1e12 };
  await recordHealth(system, [
    createSample(deletedStream.id),
    createSample(newId()),
    createSample(existingStream.id, outOfRange),
  ]);
  await recordHealth(system, []);
  expect(await db.streamHealth.count({ where: { streamId: deletedStream.id } })).toBe(0);
  expect((await getHealth(ctx, existingStream.id, {})).latest).toMatchObject({
    // The maximum of a 32-bit integer.
    bitrate: 2_147_483_647,
  });
});

test('health samples are thinned to one per minute after 12 hours, and deleted after seven days', async () => {
  const { id } = await createLiveStream();
  // Seven days are 168 hours. Samples with `minute` are those that are kept.
  const agesInHours = [1, 11, 13, 13.01, 167, 169];
  await recordHealth(
    system,
    agesInHours.map((age) => createSample(id, { ageMs: age * HOUR_MS, minute: age !== 11 && age !== 13.01 })),
  );
  expect(await expireHealthSamples(system)).toBe(2);
  expect(await agesOf(id)).toEqual([167, 13, 11, 1]);
  expect(await expireHealthSamples(system)).toBe(0);
});

test('health samples are deleted with their stream', async () => {
  const [deletedStream, streamWithoutRow] = [await createLiveStream(), await createLiveStream()];
  await recordHealth(system, [createSample(deletedStream.id), createSample(streamWithoutRow.id)]);
  await deleteStream(ctx, deletedStream.id);
  await db.stream.delete({ where: { id: streamWithoutRow.id } });
  expect(
    await db.streamHealth.count({ where: { streamId: { in: [deletedStream.id, streamWithoutRow.id] } } }),
  ).toBe(0);
});
