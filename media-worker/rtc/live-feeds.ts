import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { SystemContext } from '@/lib/domain/context';
import { requestNode } from '@/lib/infra/node-http';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';

/** Timeout of the response headers of a live process. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** Address of a feed. Viewers of the same address share one feed. */
export interface FeedAddress {
  /** Internal URL of the live process that has the stream. */
  readonly liveUrl: string;
  /** Path of the packets at the live process. */
  readonly path: string;
}

/** A subscription of one viewer to the packets of a stream. */
export interface LiveFeed {
  /** Bus that begins with the current GOP, and ends when the stream or its live process ends. */
  readonly bus: PacketBus;
  /** Stops reading for this viewer. May be called twice. */
  leave(): void;
}

interface OpenFeed {
  readonly bus: PacketBus;
  readonly stop: () => void;
}

interface SharedFeed {
  /** Null if the live process does not have the stream. */
  readonly opening: Promise<OpenFeed | null>;
  /** Readers that have not left, including those that wait for the feed. */
  readerCount: number;
}

/**
 * Packets of live streams for the viewers of this process. Viewers of one rendition share one request to its live
 * process.
 */
export class LiveFeeds {
  readonly #ctx: SystemContext;
  readonly #feeds = new Map<string, SharedFeed>();

  constructor(ctx: SystemContext) {
    this.#ctx = ctx;
  }

  /**
   * Joins the feed of a rendition.
   * @returns null if the live process does not have the stream
   * @throws Error if the live process does not respond, or responds with an error
   */
  async join(address: FeedAddress): Promise<LiveFeed | null> {
    const key = `${address.liveUrl} ${address.path}`;
    const shared = this.#feeds.get(key) ?? this.#openShared(key, address);
    // Readers count before they wait, so that the last one who leaves meanwhile does not stop the feed.
    shared.readerCount += 1;
    const feed = await shared.opening;
    if (!feed) return null;
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      shared.readerCount -= 1;
      if (shared.readerCount === 0) feed.stop();
    };
    return { bus: feed.bus, leave };
  }

  #openShared(key: string, address: FeedAddress): SharedFeed {
    // A stopped feed ends after its successor was opened.
    const forget = () => {
      if (this.#feeds.get(key) === shared) this.#feeds.delete(key);
    };
    const shared: SharedFeed = { opening: this.#open(address, forget), readerCount: 0 };
    this.#feeds.set(key, shared);
    shared.opening.then((feed) => feed ?? forget()).catch(forget);
    return shared;
  }

  async #open({ liveUrl, path }: FeedAddress, onEnd: () => void): Promise<OpenFeed | null> {
    const stopController = new AbortController();
    const response = await this.#requestPackets(liveUrl, path, stopController.signal);
    if (response.statusCode === 404) {
      response.resume();
      return null;
    }
    if (response.statusCode !== 200)
      throw new Error(`the live process responded with status ${response.statusCode}`);
    const bus = new PacketBus({
      onSubscriberError: (error) => this.#ctx.log.error({ err: error }, 'WebRTC viewer failed'),
    });
    const endFeed = () => {
      onEnd();
      bus.end('finished');
    };
    void readPackets(response, bus)
      .catch((error: unknown) => this.#ctx.log.debug({ err: error, path }, 'live feed lost'))
      .finally(endFeed);
    const stop = () => {
      // The next viewer opens another feed.
      onEnd();
      stopController.abort();
    };
    return { bus, stop };
  }

  async #requestPackets(liveUrl: string, path: string, stopSignal: AbortSignal): Promise<IncomingMessage> {
    const { settings, secrets, clock } = this.#ctx;
    const signature = createNodeSignatures(secrets, clock).sign({ receiver: liveUrl, method: 'GET', path });
    const request = requestNode(settings.internalTls, liveUrl + path, {
      headers: { [nodeSignatureHeader]: signature },
      signal: stopSignal,
    });
    // `once` reports errors until the response. Without this listener, a later one would end the process.
    request.on('error', () => undefined);
    const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
    const whenAnswered = once(request, 'response', { signal }) as Promise<[IncomingMessage]>;
    request.end();
    const [response] = await whenAnswered.catch((error: unknown) => {
      request.destroy();
      throw error;
    });
    return response;
  }
}

/** Sends the packets of an FLV response to the bus, until the response ends. */
async function readPackets(response: IncomingMessage, bus: PacketBus): Promise<void> {
  const reader = new FlvReader((packet) => bus.push(packet));
  for await (const chunk of response) reader.push(chunk as Buffer);
}
