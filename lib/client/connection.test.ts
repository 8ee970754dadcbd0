import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection } from './connection';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that is up or down, and the notifications that a page received. */
function createConnection() {
  const server = { up: true, probes: 0 };
  const connection = new Connection({
    probe: () => {
      server.probes++;
      return Promise.resolve(server.up);
    },
    now: Date.now,
    probeIntervalMs: 2_000,
  });
  const receivedEvents: (number | null)[] = [];
  connection.subscribe((since) => receivedEvents.push(since));
  return { server, connection, receivedEvents };
}

test('one unanswered request does not mean that the server is down', async () => {
  const { connection, receivedEvents, server } = createConnection();
  connection.suspectOutage();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([connection.downSince, receivedEvents, server.probes]).toEqual([null, [], 1]);
});

test('the outage starts with the first unanswered request and ends with a successful probe', async () => {
  const { connection, receivedEvents, server } = createConnection();
  server.up = false;
  const sentAt = Date.now();
  await vi.advanceTimersByTimeAsync(500);
  connection.suspectOutage(sentAt);
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.downSince).toBe(sentAt);
  server.up = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([connection.downSince, receivedEvents]).toEqual([null, [sentAt, null]]);
});

test('concurrent failed requests start one probe at a time', async () => {
  const { connection, server } = createConnection();
  server.up = false;
  for (let count = 0; count < 100; count++) connection.suspectOutage();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server.probes).toBe(11);
  server.up = true;
  await vi.advanceTimersByTimeAsync(2_000);
});

test('a page without requests probes the server, a page with requests does not', async () => {
  const { connection, server } = createConnection();
  await vi.advanceTimersByTimeAsync(29_000);
  connection.probeIfQuiet(30_000);
  connection.recordResponse();
  await vi.advanceTimersByTimeAsync(29_000);
  connection.probeIfQuiet(30_000);
  expect(server.probes).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  connection.probeIfQuiet(30_000);
  expect(server.probes).toBe(1);
});
