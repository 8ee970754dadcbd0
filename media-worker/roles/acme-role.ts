import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { sendToHttps } from '@/lib/infra/http-server';
import { findChallenge, updateCertificate } from '@/lib/domain/nodes';
import { listen } from '@/media-worker/kit/http/listen';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { StartRole } from '@/media-worker/kit/process/lifecycle';

/** Interval at which a machine checks its certificate, and finds one that another machine has ordered. */
const CHECK_INTERVAL_MS = 5_000;
const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]{1,128})$/;

/** Starts the acme role: it keeps this machine's certificate valid, and answers ACME challenges for all machines (ADR 38). */
export const startAcme: StartRole = async (ctx, lifecycle, signal) => {
  const { acme, host, trustedProxies } = ctx.settings;
  if (!acme) throw new Error('ACME_EMAIL is not set');
  const { log } = ctx;
  const options = { host, port: acme.httpPort, maxConnections: 500, trustedProxies, log };
  const http = await listen((request, response) => void answerRequest(ctx, request, response), options);
  lifecycle.own('http', () => http.close());
  const renewalTimer = runPeriodically(CHECK_INTERVAL_MS, 'certificate', log, () =>
    updateCertificate(ctx, signal),
  );
  lifecycle.own('certificate', () => renewalTimer.close());
};

/** Answers a challenge, and redirects all other requests to HTTPS. */
async function answerRequest(
  ctx: WorkerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, token] = challengePath.exec(request.url ?? '') ?? [];
  if (token === undefined) {
    sendToHttps(request, response, ctx.settings.baseUrl);
    return;
  }
  try {
    const challenge = await findChallenge(ctx, token);
    response
      .writeHead(challenge === null ? 404 : 200, { 'Content-Type': 'text/plain' })
      .end(challenge ?? 'Not found.\n');
  } catch (error) {
    ctx.log.warn({ err: error }, 'challenge not answered');
    response.writeHead(503, { 'Content-Type': 'text/plain' }).end('Try again later.\n');
  }
}
