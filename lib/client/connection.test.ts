import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection } from './connection';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that is up or down, and the times of outages of which a page was notified: start, or null for the end. */
function createConnection() {
  const server = { isUp: true, probeCount: 0 };
  const connection = new Connection({
    probe: () => {
      server.probeCount++;
      return Promise.resolve(server.isUp);
    },
    now: Date.now,
    probeIntervalMs: 2_000,
  });
  const notifications: (number | null)[] = [];
  connection.subscribe((downSince) => notifications.push(downSince));
  return { server, connection, notifications };
}

test('one unanswered request does not mean that the server is down', async () => {
  const { connection, notifications, server } = createConnection();
  connection.suspectOutage();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([connection.downSince, notifications, server.probeCount]).toEqual([null, [], 1]);
});

test('the outage starts with the first unanswered request and ends with a successful probe', async () => {
  const { connection, notifications, server } = createConnection();
  server.isUp = false;
  const sentAt = Date.now();
  await vi.advanceTimersByTimeAsync(500);
  connection.suspectOutage(sentAt);
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.downSince).toBe(sentAt);
  server.isUp = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([connection.downSince, notifications]).toEqual([null, [sentAt, null]]);
});

test('concurrent failed requests start one probe at a time', async () => {
  const { connection, server } = createConnection();
  server.isUp = false;
  for (let count = 0; count < 100; count++) connection.suspectOutage();
  await vi.advanceTimersByTimeAsync(20_000);
  // One immediately, and one every two seconds.
  expect(server.probeCount).toBe(1 + 20_000 / 2_000);
  server.isUp = true;
  await vi.advanceTimersByTimeAsync(2_000);
});

test('a page without requests probes the server, a page with requests does not', async () => {
  const { connection, server } = createConnection();
  await vi.advanceTimersByTimeAsync(29_000);
  connection.probeIfQuiet(30_000);
  connection.recordResponse();
  await vi.advanceTimersByTimeAsync(29_000);
  connection.probeIfQuiet(30_000);
  expect(server.probeCount).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  connection.probeIfQuiet(30_000);
  expect(server.probeCount).toBe(1);
});
