import { describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { QuotaGate } from './quota-gate';

const [id, otherId, session] = ['a'.repeat(16), 'b'.repeat(16), '9c1d2e3f-8a43-4d6e-9f0b-1c2d3e4f5a6b'];

async function open(teams: readonly string[]) {
  const lookups: string[] = [];
  const gate = new QuotaGate({
    clock: systemClock,
    findExhausted: () => Promise.resolve(new Map(teams.map((team) => [team, { limit: 1e9, used: 2e9 }]))),
    teamOf: (id) => {
      lookups.push(id);
      return Promise.resolve({ teamId: id === otherId ? 'other' : 'team' });
    },
  });
  await gate.refresh();
  return { gate, lookups };
}

describe('when the quota of delivered bytes is used up', () => {
  test.each([
    [`/hls/${id}/index.m3u8`, 402],
    [`/hls/${id}/360p/index.m3u8`, 402],
    [`/hls/${id}/~token/360p/index.m3u8`, 402],
    [`/hls/${id}/360p/12.m4s`, null],
    [`/hls/${id}/thumbnail.jpg`, null],
    [`/hls/${otherId}/index.m3u8`, null],
    [`/asset/${id}/index.m3u8`, 402],
    [`/asset/${id}/video`, 402],
    [`/asset/${id}/poster.jpg`, null],
    [`/recordings/${session}/source.mp4`, 402],
    [`/recordings/${session}/index.m3u8`, 402],
    ['/api/asset/upload/tus', null],
    ['/brand/logo', null],
  ])('the rejection of a request for %s has the status %j', async (path, status) => {
    const { gate } = await open(['team']);
    const answer = await gate.findRejection(path);
    expect(answer?.status ?? null).toBe(status);
    if (answer) expect(String(answer.body?.[0])).toContain('2 GB of 1 GB were delivered this month');
  });

  test('the gate looks nothing up while no team has reached its quota', async () => {
    const { gate, lookups } = await open([]);
    expect(gate.findRejection(`/hls/${id}/index.m3u8`)).toBeNull();
    expect(lookups).toEqual([]);
  });

  test('an unavailable database blocks no viewer', async () => {
    const gate = new QuotaGate({
      clock: systemClock,
      findExhausted: () => Promise.resolve(new Map([['team', { limit: 1, used: 1 }]])),
      teamOf: () => Promise.reject(new Error('away')),
    });
    await gate.refresh();
    expect(await gate.findRejection(`/hls/${id}/index.m3u8`)).toBeNull();
  });
});
