import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import { metrics, statusClasses } from './metrics';

/** Class of the final status of a response, from 2xx to 5xx. */
const statusClass = (status: number) =>
  statusClasses[Math.min(5, Math.max(2, Math.floor(status / 100))) - 2] ?? '5xx';

/** Counts responses to viewers, and the bytes written to their connections, headers included. */
export function countResponses(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const bytesBefore = socket.bytesWritten;
    response.once('close', () => {
      metrics.sentBytes.inc(Math.max(0, socket.bytesWritten - bytesBefore));
      // A response that the client aborted before its headers has no status.
      if (response.headersSent) metrics.viewerResponses.inc({ status: statusClass(response.statusCode) });
    });
    handler(request, response);
  };
}

/** Measures the duration of responses of the dashboard and API. */
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
