import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import { metrics, statusClasses } from './metrics';

/** 1xx does not end a response. */
const statusClass = (status: number) =>
  statusClasses[Math.min(5, Math.max(2, Math.floor(status / 100))) - 2] ?? '5xx';

/** Counts responses to viewers, and their bytes: those on the connection, headers included, so that no body is looked at. */
export function countResponses(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const before = socket.bytesWritten;
    response.once('close', () => {
      metrics.sentBytes.inc(Math.max(0, socket.bytesWritten - before));
      // A client that left got no status.
      if (response.headersSent) metrics.viewerResponses.inc({ status: statusClass(response.statusCode) });
    });
    handler(request, response);
  };
}

/** Measures how long responses of the dashboard and API take. */
export function measureResponses(handler: RequestListener): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    response.once('close', () => {
      if (!response.headersSent) return;
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.requestDuration.observe({ status: statusClass(response.statusCode) }, seconds);
    });
    handler(request, response);
  };
}
