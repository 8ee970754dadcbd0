import { describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { QuotaGate } from './quota-gate';

const [playbackId, otherPlaybackId, sessionId] = [
  'a'.repeat(16),
  'b'.repeat(16),
  '9c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b',
];

async function openGate(exhaustedTeamIds: readonly string[]) {
  const lookups: string[] = [];
  const gate = new QuotaGate({
    clock: systemClock,
    findExhausted: () =>
      Promise.resolve(new Map(exhaustedTeamIds.map((teamId) => [teamId, { limit: 1e9, used: 2e9 }]))),
    teamOf: (id) => {
      lookups.push(id);
      return Promise.resolve({ teamId: id === otherPlaybackId ? 'other' : 'team' });
    },
  });
  await gate.refresh();
  return { gate, lookups };
}

describe('when the quota of delivered bytes is used up', () => {
  test.each([
    [`/hls/${playbackId}/index.m3u8`, 402],
    [`/hls/${playbackId}/360p/index.m3u8`, 402],
    [`/hls/${playbackId}/~token/360p/index.m3u8`, 402],
    [`/hls/${playbackId}/360p/12.m4s`, null],
    [`/hls/${playbackId}/thumbnail.jpg`, null],
    [`/hls/${otherPlaybackId}/index.m3u8`, null],
    [`/asset/${playbackId}/index.m3u8`, 402],
    [`/asset/${playbackId}/video`, 402],
    [`/asset/${playbackId}/poster.jpg`, null],
    [`/recordings/${sessionId}/source.mp4`, 402],
    [`/recordings/${sessionId}/index.m3u8`, 402],
    ['/api/asset/upload/tus', null],
    ['/brand/logo', null],
  ])('a request for %s is rejected with status %j (null: it is served)', async (path, status) => {
    const { gate } = await openGate(['team']);
    const answer = await gate.findRejection(path);
    expect(answer?.status ?? null).toBe(status);
    if (answer) expect(String(answer.body?.[0])).toContain('2 GB of 1 GB were delivered this month');
  });

  test('the gate looks nothing up while no team has reached its quota', async () => {
    const { gate, lookups } = await openGate([]);
    expect(gate.findRejection(`/hls/${playbackId}/index.m3u8`)).toBeNull();
    expect(lookups).toEqual([]);
  });

  test('an unavailable database blocks no viewer', async () => {
    const gate = new QuotaGate({
      clock: systemClock,
      findExhausted: () => Promise.resolve(new Map([['team', { limit: 1, used: 1 }]])),
      teamOf: () => Promise.reject(new Error('away')),
    });
    await gate.refresh();
    expect(await gate.findRejection(`/hls/${playbackId}/index.m3u8`)).toBeNull();
  });
});
