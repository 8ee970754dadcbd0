import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Journal } from '../journal';
import type { Random } from '../random';

/**
 * Webhooks of the run: `flaky` subscribes to all events and rejects, delays or drops some deliveries. `good` subscribes to a
 * few events and accepts all deliveries.
 */
export const webhookNames = ['flaky', 'good'] as const;
export type WebhookName = (typeof webhookNames)[number];
export const webhookSecret = (name: WebhookName): string => `secret-of-the-${name}-receiver`;

interface ReceivedEvent {
  /** Name of the event. */
  readonly event: string;
  /** SHA-256 of the content, which must be the same at every attempt. */
  readonly digest: string;
  /** Number of 200 responses. */
  acceptedCount: number;
  /** Number of attempts. */
  totalCount: number;
}

/** An HTTP server that receives webhooks, serves files for imports and receives exports. */
export class RemoteServers {
  readonly receivedByWebhook = new Map<WebhookName, Map<string, ReceivedEvent>>(
    webhookNames.map((name) => [name, new Map()]),
  );
  /** SHA-256 of every exported file, by the name of its sink. */
  readonly exportedHashes = new Map<string, string[]>();
  readonly #files = new Map<string, Buffer>();
  readonly #server: Server;
  /** Whether all deliveries are accepted. It is true during an audit. */
  acceptsAll = false;

  constructor(
    private readonly journal: Journal,
    private readonly port: number,
    private readonly random: Random,
  ) {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#server.on('clientError', (_error, socket) => void socket.destroy());
    this.#server.keepAliveTimeout = 60_000;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  webhookUrl(name: WebhookName): string {
    return `http://127.0.0.1:${this.port}/hook/${name}`;
  }

  sinkUrl(name: string): string {
    return `http://127.0.0.1:${this.port}/sink/${name}`;
  }

  /**
   * Serves a file for an import.
   * @returns its URL
   */
  serveFile(name: string, data: Buffer): string {
    this.#files.set(name, data);
    return `http://127.0.0.1:${this.port}/file/${name}`;
  }

  /** Stops serving all files. */
  removeFiles(): void {
    this.#files.clear();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind = '', name = ''] = (request.url ?? '').split('/');
    if (kind === 'file') {
      await this.#sendFile(name, request.headers.range, response);
      return;
    }
    const body = await buffer(request);
    const hook = webhookNames.find((candidate) => candidate === name);
    if (kind === 'sink') {
      this.exportedHashes.set(name, [...(this.exportedHashes.get(name) ?? []), sha256(body)]);
      await sleep(200);
      response.end();
    } else if (kind === 'hook' && hook) await this.#receiveDelivery(hook, request.headers, body, response);
    else response.writeHead(404).end();
  }

  /** Sends a file slowly, so that faults happen during an import. */
  async #sendFile(name: string, range: string | undefined, response: ServerResponse): Promise<void> {
    const data = this.#files.get(name);
    if (!data) {
      response.writeHead(404).end();
      return;
    }
    const [, firstByte = '', lastByte = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    const start = Number(firstByte || '0');
    const end = lastByte === '' ? data.length : Math.min(Number(lastByte) + 1, data.length);
    response.writeHead(firstByte === '' ? 200 : 206, {
      'content-type': 'video/mp4',
      'content-length': end - start,
      'accept-ranges': 'bytes',
      ...(firstByte === '' ? {} : { 'content-range': `bytes ${start}-${end - 1}/${data.length}` }),
    });
    const chunkBytes = Math.max(65_536, Math.ceil(data.length / 25));
    for (let offset = start; offset < end && !response.destroyed; offset += chunkBytes) {
      response.write(data.subarray(offset, Math.min(offset + chunkBytes, end)));
      await sleep(120);
    }
    response.end();
  }

  async #receiveDelivery(
    hook: WebhookName,
    headers: IncomingHttpHeaders,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const id = String(headers['webhook-id']);
    const delivery = this.#checkDelivery(hook, id, headers, body);
    // The flaky webhook breaks the connection of 2 % of the deliveries, rejects 3 % after 2.5 s, and 5 % at once.
    const dice = hook === 'flaky' && !this.acceptsAll ? this.random.next() : 1;
    if (dice < 0.02) response.destroy();
    else if (dice < 0.05) await sleep(2_500);
    if (dice >= 0.1 && !response.destroyed && response.socket?.destroyed === false) {
      delivery.acceptedCount += 1;
      response.writeHead(200).end();
    } else if (!response.destroyed) response.writeHead(500).end('rejected');
    this.journal.append('received', { hook, id, event: delivery.event, accepted: delivery.acceptedCount });
  }

  /** Checks the signature and the id of a delivery, and that its content is the same at every attempt. Counts the attempt. */
  #checkDelivery(hook: WebhookName, id: string, headers: IncomingHttpHeaders, body: Buffer): ReceivedEvent {
    try {
      new Webhook(webhookSecret(hook), { format: 'raw' }).verify(body, headers as Record<string, string>);
    } catch (error) {
      this.journal.reportProblem('a webhook is not signed correctly', `${hook} ${id}`, {
        reason: String(error),
      });
    }
    // Only the timestamp may differ between attempts.
    const content: Record<string, unknown> = { ...parseObject(body), timestamp: undefined };
    if (content.id !== id)
      this.journal.reportProblem('the id in the header and body of a webhook differ', `${hook} ${id}`, {
        id: content.id,
      });
    const digest = sha256(JSON.stringify(content));
    const receivedById = this.receivedByWebhook.get(hook) ?? new Map<string, ReceivedEvent>();
    const entry = receivedById.get(id) ?? {
      event: String(content.event),
      digest,
      acceptedCount: 0,
      totalCount: 0,
    };
    if (entry.digest !== digest)
      this.journal.reportProblem('an event was repeated with different content', `${hook} ${id}`, {
        event: content.event,
      });
    entry.totalCount += 1;
    receivedById.set(id, entry);
    return entry;
  }
}

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
