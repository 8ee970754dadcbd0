import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseReports } from '@/lib/core/audience/read-cmcd';
import { type ViewState, applyReport } from '@/lib/core/audience/view-state';
import { reportPlayback } from './report-playback';
import { reportUrl } from './report-url';

const engineFacts = { name: 'x', bitrate: 2e6, codecs: null, lowestBitrate: 1_100_000, bandwidth: 900_000 };
const url = 'https://cdn.example/cmcd/abc';
let video: HTMLVideoElement;
/** End of the buffer in seconds; null: no buffered range. */
let bufferEnd: number | null;
/** Bodies of the sent requests. */
let bodies: string[];
/** HTTP status of the responses to reports. */
let status: number;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  video = document.createElement('video');
  Object.defineProperties(video, { videoHeight: { value: 720 }, duration: { value: Infinity } });
  Object.defineProperty(video, 'paused', { value: false });
  [bodies, status, bufferEnd] = [[], 204, 1.5];
  const buffered = { start: () => 0, end: () => bufferEnd };
  Object.defineProperty(video, 'buffered', {
    get: () => ({ ...buffered, length: bufferEnd === null ? 0 : 1 }),
  });
  const recordRequest = (requestUrl: string, { body }: { body: string }) => {
    // Pages of earlier tests may still send requests.
    if (requestUrl === url) bodies.push(body);
    return Promise.resolve({ status });
  };
  vi.stubGlobal('fetch', vi.fn(recordRequest));
  // `push` returns the new length, so the beacon counts as sent.
  navigator.sendBeacon = (_url, body) => bodies.push(body as string) > 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const startReporting = () =>
  reportPlayback(video, {
    url,
    sessionId: 'v1',
    startedAt: 999_000,
    shownAt: 999_700,
    measure: () => ({ facts: engineFacts, latency: 2.4 }),
  });
/** Advances the clock, then fires an event of the video. */
const advance = async (ms: number, event?: string) => {
  await vi.advanceTimersByTimeAsync(ms);
  if (event) video.dispatchEvent(new Event(event));
  await vi.advanceTimersByTimeAsync(0);
};

/** Parses the bodies as the origin does. */
function parseBodies() {
  const reports = bodies.flatMap((body) => {
    const { reports: parsedReports, malformedCount } = parseReports(body);
    expect(malformedCount).toBe(0);
    return parsedReports;
  });
  let view: ViewState | null = null;
  const facts = reports.map((report) => {
    const next = applyReport(view, report);
    view = next.view;
    return next.facts;
  });
  return { reports, facts };
}

test('the reports of a view add up to its startup, stall and playback times', async () => {
  const reporter = startReporting();
  await advance(4_000, 'waiting');
  await advance(2_500, 'playing');
  await advance(20_000);
  reporter.close();
  const { reports, facts } = parseBodies();
  expect(reports.at(-1)).toMatchObject({
    state: 'quit',
    latencyMs: 2_400,
    throughputKbps: 900,
    lowestKbps: 1_100,
    bufferMs: 1_500,
    height: 720,
  });
  const sum = (field: 'startupMs' | 'stallMs' | 'playedMs') =>
    facts.reduce((total, fact) => total + (fact[field] ?? 0), 0);
  // From `startedAt` to `shownAt`.
  expect(sum('startupMs')).toBe(700);
  expect(sum('stallMs')).toBe(2_500);
  // 300 ms from the first frame to the start of reporting, then until the stall, and after it.
  expect(sum('playedMs')).toBe(300 + 4_000 + 20_000);
  // The measured bandwidth is below the lowest bitrate.
  expect(facts.some(({ slow }) => slow)).toBe(true);
});

test('a player without buffered ranges reports no buffer', async () => {
  bufferEnd = null;
  startReporting().close();
  await advance(0);
  const { reports } = parseBodies();
  expect(reports.map(({ state, bufferMs }) => [state, bufferMs])).toEqual([
    ['starting', undefined],
    ['playing', undefined],
    ['quit', undefined],
  ]);
});

test('unsent reports are sent again after a 503, and nothing is sent after a 410', async () => {
  status = 503;
  startReporting();
  await advance(1_000, 'pause');
  status = 204;
  bodies = [];
  await advance(20_000);
  expect(parseBodies().reports.map(({ state }) => state)).toEqual([
    'starting',
    'playing',
    'paused',
    'paused',
  ]);
  status = 410;
  await advance(1, 'playing');
  bodies = [];
  await advance(60_000, 'pause');
  window.dispatchEvent(new Event('pagehide'));
  expect(bodies).toEqual([]);
});

test('the report URL has the playback id and the proof of access of the playlist', () => {
  expect(reportUrl('https://cdn.example/hls/abc/index.m3u8')).toBe('https://cdn.example/cmcd/abc');
  expect(reportUrl('https://cdn.example/asset/abc/index.m3u8?token=x')).toBe(
    'https://cdn.example/cmcd/abc?token=x',
  );
});
