import { expect, test } from 'vitest';
import { parseReports, parseRequestReports } from '@/lib/core/audience/read-cmcd';
import type { AudienceMinute } from '@/lib/domain/audience';
import { AudienceCount } from './audience-count';

// Shortened CMCD reports of hls.js 1.7.4 and Shaka 5.2 on a connection of 8 kB/s, with the milliseconds at which they arrive.
// Each has one stall; `bl` is the length of the buffer in milliseconds.

const START_MS = 1_700_000_040_000;
const asset = { teamId: 'team', objectId: 'object' };
const shares = { country: null, device: 'desktop', player: 'chrome' };

type Line = readonly [arrivedAt: number, kind: 'event' | 'request', keys: string];

const createHlsJsReports = (bufferKey: string): readonly Line[] => [
  [20, 'event', `e=ps,mtp=(500),sf=h,sid="v",sn=2,sta=s,ts=${START_MS},v=2`],
  [210, 'event', `bl=(0),br=(1976),e=ps,mtp=(2000),sf=h,sid="v",sn=3,st=ll,sta=p,ts=${START_MS + 202},v=2`],
  [
    6_190,
    'event',
    `bl=(2200),br=(1976),e=ps,mtp=(152700),sid="v",sn=4,st=ll,sta=r,ts=${START_MS + 6_182},v=2`,
  ],
  [14_330, 'event', `${bufferKey}br=(1976),e=ps,mtp=(152700),sid="v",sn=5,sta=p,ts=${START_MS + 14_223},v=2`],
  [30_000, 'event', `bl=(4100),br=(1976),e=t,mtp=(9100),sid="v",sn=6,sta=p,ts=${START_MS + 29_990},v=2`],
];

const createShakaReports = (bufferKey: string): readonly Line[] => [
  [80, 'event', `br=(1976),e=ps,sid="v",sn=1,sta=r,ts=${START_MS},v=2`],
  [240, 'request', 'br=1976,d=500,dl=0,ot=av,sid="v",sn=3,st=l,sta=k,v=2'],
  [400, 'event', `br=(1976),e=ps,sid="v",sn=3,sta=p,ts=${START_MS + 346},v=2`],
  [5_360, 'request', 'bl=700,br=1976,d=550,dl=700,ot=av,sid="v",sn=25,st=l,sta=p,v=2'],
  [5_940, 'event', `br=(1976),e=ps,msd=481,sid="v",sn=4,st=l,sta=r,ts=${START_MS + 5_865},v=2`],
  [14_913, 'event', `br=(1976),e=ps,sf=h,sid="v",sn=5,st=l,sta=p,ts=${START_MS + 14_833},v=2`],
  [14_920, 'request', `${bufferKey}br=1976,d=500,ot=av,sid="v",sn=41,st=l,sta=p,v=2`],
  [14_960, 'request', `br=1976,d=500,ot=av,sid="v",sn=43,st=l,sta=p,v=2`],
];

test.each([
  ['hls.js received one segment', createHlsJsReports('bl=(2200),'), 1],
  ['hls.js had the media and could not show it', createHlsJsReports('bl=(12000),'), 0],
  ['hls.js does not report its buffer', createHlsJsReports(''), 0],
  ['Shaka received one part', createShakaReports('bl=500,'), 1],
  ['Shaka had the media and could not show it', createShakaReports('bl=12000,'), 0],
  ['Shaka does not report its buffer', createShakaReports(''), 0],
])('the stall counts as slow only if the buffer was short: %s', async (_name, lines, slowStalls) => {
  let now = START_MS;
  let minutes: readonly AudienceMinute[] = [];
  const count = new AudienceCount({
    clock: { now: () => new Date(now), monotonic: () => now },
    write: (changed) => Promise.resolve(void (minutes = changed)),
  });
  for (const [arrivedAt, kind, keys] of lines) {
    now = START_MS + arrivedAt;
    const reports = kind === 'event' ? parseReports(keys).reports : parseRequestReports(keys, now);
    for (const report of reports) count.add(asset, report, shares);
  }
  await count.flush();
  expect(minutes).toMatchObject([{ stalls: 1, slowStalls }]);
});
