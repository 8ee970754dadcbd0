import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerReachability } from './server-reachability';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that can be made unreachable, and what subscribers were notified of: since when it is unreachable, or null. */
function createReachability() {
  const server = { isReachable: true, probeCount: 0 };
  const reachability = new ServerReachability({
    probe: () => {
      server.probeCount++;
      return Promise.resolve(server.isReachable);
    },
    now: Date.now,
    probeIntervalMs: 2_000,
  });
  const notifications: (number | null)[] = [];
  reachability.subscribe((unreachableSince) => notifications.push(unreachableSince));
  return { server, reachability, notifications };
}

test('one request without a response does not make the server unreachable if it responds to the probe', async () => {
  const { reachability, notifications, server } = createReachability();
  reachability.probeNow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([reachability.unreachableSince, notifications, server.probeCount]).toEqual([null, [], 1]);
});

test('the server is unreachable from the sending of the first request without a response until a successful probe', async () => {
  const { reachability, notifications, server } = createReachability();
  server.isReachable = false;
  const sentAt = Date.now();
  await vi.advanceTimersByTimeAsync(500);
  reachability.probeNow(sentAt);
  await vi.advanceTimersByTimeAsync(0);
  expect(reachability.unreachableSince).toBe(sentAt);
  server.isReachable = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([reachability.unreachableSince, notifications]).toEqual([null, [sentAt, null]]);
});

test('concurrent failed requests start one probe at a time', async () => {
  const { reachability, server } = createReachability();
  server.isReachable = false;
  for (let count = 0; count < 100; count++) reachability.probeNow();
  await vi.advanceTimersByTimeAsync(20_000);
  // One immediately, and one every two seconds.
  expect(server.probeCount).toBe(1 + 20_000 / 2_000);
  server.isReachable = true;
  await vi.advanceTimersByTimeAsync(2_000);
});

test('the server is probed after 30 s without a response to the page, and not before', async () => {
  const { reachability, server } = createReachability();
  await vi.advanceTimersByTimeAsync(29_000);
  reachability.probeIfSilentFor(30_000);
  reachability.recordResponse();
  await vi.advanceTimersByTimeAsync(29_000);
  reachability.probeIfSilentFor(30_000);
  expect(server.probeCount).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  reachability.probeIfSilentFor(30_000);
  expect(server.probeCount).toBe(1);
});
