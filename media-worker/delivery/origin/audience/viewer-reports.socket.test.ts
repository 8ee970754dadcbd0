import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ViewShares } from '@/lib/core/audience/audience-sums';
import type { PlayerReport } from '@/lib/core/audience/read-cmcd';
import { createLogger } from '@/lib/infra/logger';
import { errorAnswer } from '@/media-worker/kit/http/answer';
import { queryValue } from '@/media-worker/kit/http/request-url';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import type { GuardViewers } from '@/media-worker/delivery/origin/access/viewer-access';
import { ViewerReports } from './viewer-reports';

const playbackId = 'abcd1234efgh5678';
const rejectCall = () => Promise.reject(new Error('not in this test'));
const guard: GuardViewers = (request, _folder, serve, absent) => {
  const { url = '', headers } = request;
  if (!url.includes(playbackId)) return absent?.(url) ?? rejectCall();
  if (queryValue(url, 'rejected') !== null) return Promise.resolve(errorAnswer(403, 'Not for you.'));
  const acceptsViewerReports = queryValue(url, 'unwanted') === null;
  return serve(url, headers, { teamId: 'team', objectId: playbackId, acceptsViewerReports }, null);
};

let receivedReports: { objectId: string; report: PlayerReport; shares: ViewShares }[];
let lineCounts: { acceptedLines: number; malformedLines: number };
let origin: HttpServer;
let now: number;

async function startReportOrigin(
  options: { perMinute?: number; maxBodies?: number } | null = {},
): Promise<void> {
  const clock = { now: () => new Date(now), monotonic: () => now };
  const reports = new ViewerReports({
    clock,
    addressOf: () => '192.0.2.1',
    countryOf: () => 'DE',
    onReport: ({ objectId }, report, shares) => receivedReports.push({ objectId, report, shares }),
    onLines: ({ acceptedLines, malformedLines }) => {
      lineCounts.acceptedLines += acceptedLines;
      lineCounts.malformedLines += malformedLines;
    },
    ...options,
  });
  origin = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: createLogger('test', 'silent'),
    watch: ignoreViewers,
    guard,
    onDelivery: () => undefined,
    recordings: noRecordings,
    reports: options ? reports : undefined,
    live: new LiveSource({
      nodes: new NodeFinder(rejectCall, clock),
      proxy: new LiveProxy({ fetch: rejectCall }),
    }),
    publicStatuses: { find: rejectCall },
    serveAsset: rejectCall,
    serveIpfs: rejectCall,
    serveUploadedPicture: rejectCall,
    uploads: {
      put: rejectCall,
      logo: rejectCall,
      slate: rejectCall,
      poster: rejectCall,
      tus: { handle: rejectCall },
    },
  });
}

beforeEach(() => {
  receivedReports = [];
  lineCounts = { acceptedLines: 0, malformedLines: 0 };
  now = 1_000;
});
afterEach(() => origin.close());

const post = (body: string, path = `/cmcd/${playbackId}`) =>
  fetch(`http://127.0.0.1:${origin.port}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/cmcd',
      'User-Agent': 'Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) Chrome/69.0',
    },
    body,
  });
const createLine = (state: string, timeMs: number, session = 'a') =>
  `e=ps,sid="${session}",sta=${state},ts=${timeMs}`;

describe('reports of players', () => {
  test('are parsed line by line, with the category of the viewer', async () => {
    await startReportOrigin();
    const first = await post(`${createLine('s', 1_000)}\nnonsense(\n${createLine('p', 1_700)}`);
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(receivedReports.map(({ report: { state, playerTimeMs } }) => [state, playerTimeMs])).toEqual([
      ['starting', 1_000],
      ['playing', 1_700],
    ]);
    expect(receivedReports[0]).toMatchObject({
      objectId: playbackId,
      shares: { country: 'DE', device: 'tv', player: 'chrome' },
    });
    expect(lineCounts).toEqual({ acceptedLines: 2, malformedLines: 1 });
  });

  test.each([
    ['of viewers without access are rejected', `/cmcd/${playbackId}?rejected`, 403],
    ['of deleted content end the reporting', '/cmcd/gone', 410],
    ['of a team that has disabled them end the reporting', `/cmcd/${playbackId}?unwanted`, 410],
  ])('%s', async (_name, path, status) => {
    await startReportOrigin();
    expect((await post(createLine('p', 1_000), path)).status).toBe(status);
    expect(receivedReports).toEqual([]);
  });

  test('that are too long are rejected', async () => {
    await startReportOrigin();
    expect((await post('a'.repeat(65_537))).status).toBe(413);
  });

  test.each([{ perMinute: 1 }, { maxBodies: 0 }])(
    'above a limit are answered with a time to retry: %o',
    async (limit) => {
      await startReportOrigin(limit);
      await post(createLine('p', 1_000));
      const answer = await post(createLine('p', 2_000));
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '10']);
      now += 60_001;
      if (limit.perMinute) expect((await post(createLine('p', 3_000))).status).toBe(204);
    },
  );

  test('are answered with 410, which ends them, if reports are disabled', async () => {
    await startReportOrigin(null);
    expect((await post(createLine('p', 1_000))).status).toBe(410);
  });

  test('are accepted from pages of any origin', async () => {
    await startReportOrigin();
    const answer = await fetch(`http://127.0.0.1:${origin.port}/cmcd/${playbackId}`, { method: 'OPTIONS' });
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-headers')).toBe('Content-Type');
  });
});

describe('requests for media', () => {
  const fetchSegment = (query: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${origin.port}/asset/${playbackId}/source/1.m4s${query}`, { headers });

  test('report playback with headers or the query', async () => {
    await startReportOrigin();
    const headers = { 'CMCD-Session': 'sid="native",st=l', 'CMCD-Status': 'bs', 'CMCD-Object': 'ot=av' };
    await fetchSegment('', headers);
    await fetchSegment(`?CMCD=${encodeURIComponent('sid="web",su,ot=v')}`);
    await fetchSegment('');
    expect(receivedReports.map(({ report: { sessionId, state } }) => [sessionId, state])).toEqual([
      ['native', 'rebuffering'],
      ['native', 'playing'],
      ['web', 'starting'],
    ]);
  });

  test('report nothing if the team has disabled reports, or if the viewer has no access', async () => {
    await startReportOrigin();
    const cmcd = `CMCD=${encodeURIComponent('sid="a",ot=v')}`;
    await fetchSegment(`?unwanted&${cmcd}`);
    await fetchSegment(`?rejected&${cmcd}`);
    expect(receivedReports).toEqual([]);
  });
});
