import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { SystemContext } from '@/lib/domain/context';
import type { PublishSource } from '@/lib/core/streams/publish-admission';
import { newId } from '@/lib/infra/ids';
import { requestNode } from '@/lib/infra/node-http';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';

/** Timeout of the response headers of the other process. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** An encoder that is connected to another process or node, which relays its packets as FLV over HTTP. */
export class RemoteEncoder implements PublisherConnection {
  readonly id = newId();
  readonly ip: string;
  readonly source: PublishSource = 'encoder';
  readonly #ctx: SystemContext;
  readonly #abortController = new AbortController();
  #lastMediaMs: number;
  #sink: PublishSink | null = null;
  #endReason: PublishEnd | null = null;

  constructor(ctx: SystemContext, { ip }: { readonly ip: string }) {
    this.#ctx = ctx;
    this.ip = ip;
    this.#lastMediaMs = ctx.clock.monotonic();
  }

  /** Time since the last packet, ms. */
  silentMs(): number {
    return this.#ctx.clock.monotonic() - this.#lastMediaMs;
  }

  disconnect(reason: PublishEnd): void {
    if (this.#endReason !== null) return;
    this.#endReason = reason;
    this.#abortController.abort();
    this.#sink?.end(reason);
  }

  /**
   * Passes the encoder's packets to `sink` until either side ends.
   * @param url internal URL of the process or node that the encoder is connected to
   */
  relayFrom(url: string, sink: PublishSink): void {
    this.#sink = sink;
    if (this.#endReason !== null) sink.end(this.#endReason);
    else
      void this.#read(url, sink).then(
        () => this.disconnect('finished'),
        (error: unknown) => {
          if (this.#endReason === null) this.#ctx.log.info({ err: error, url }, 'relay of an encoder lost');
          this.disconnect('lost');
        },
      );
  }

  async #read(url: string, sink: PublishSink): Promise<void> {
    const reader = new FlvReader(
      (packet) => {
        if (this.#endReason !== null) return;
        this.#lastMediaMs = this.#ctx.clock.monotonic();
        sink.push(packet);
      },
      // A layer is the same video in another size. The packets above already show that the encoder sends.
      (layer, packet) => {
        if (this.#endReason === null) sink.pushLayer?.(layer, packet);
      },
    );
    for await (const chunk of await this.#open(url)) reader.push(chunk as Buffer);
  }

  async #open(url: string): Promise<IncomingMessage> {
    const { settings, secrets, clock } = this.#ctx;
    const signature = createNodeSignatures(secrets, clock).sign({
      receiver: url,
      method: 'GET',
      path: new URL(url).pathname,
    });
    const { signal } = this.#abortController;
    const request = requestNode(settings.internalTls, url, {
      headers: { [nodeSignatureHeader]: signature },
      signal,
    });
    const openSignal = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
    // `once` reports errors until the response. Without this listener, a later one would end the process.
    request.on('error', () => undefined);
    const whenAnswered = once(request, 'response', { signal: openSignal }) as Promise<[IncomingMessage]>;
    request.end();
    const [response] = await whenAnswered.catch((error: unknown) => {
      request.destroy();
      throw error;
    });
    if (response.statusCode !== 200) throw new Error(`GET ${url} answered ${response.statusCode}`);
    return response;
  }
}
