import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { SystemContext } from '@/lib/domain/context';
import { requestNode } from '@/lib/infra/node-http';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';

const connectMs = 2_000;

export interface FeedName {
  /** Of the live process that has the stream. */
  readonly live: string;
  /** Of its packets there. */
  readonly path: string;
}

/** What one viewer reads. */
export interface LiveFeed {
  /** Begins with the current group of pictures; ends when the stream does, or its live process. */
  readonly bus: PacketBus;
  /** This viewer reads no more. May be called twice. */
  leave(): void;
}

interface SharedFeed {
  readonly bus: PacketBus;
  readonly stop: () => void;
  readers: number;
}

/** Packets of live streams for the viewers of this process: fetched once a rendition, however many watch it. */
export class LiveFeeds {
  readonly #ctx: SystemContext;
  readonly #feeds = new Map<string, Promise<SharedFeed | null>>();

  constructor(ctx: SystemContext) {
    this.#ctx = ctx;
  }

  /** Null when that process does not have the stream. @throws Error when it does not answer */
  async join(name: FeedName): Promise<LiveFeed | null> {
    const key = `${name.live} ${name.path}`;
    let opening = this.#feeds.get(key);
    if (!opening) {
      opening = this.#open(name, () => this.#feeds.delete(key));
      this.#feeds.set(key, opening);
      opening.then((opened) => opened ?? this.#feeds.delete(key)).catch(() => this.#feeds.delete(key));
    }
    const feed = await opening;
    if (!feed) return null;
    feed.readers += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      feed.readers -= 1;
      if (feed.readers === 0) feed.stop();
    };
    return { bus: feed.bus, leave };
  }

  async #open({ live, path }: FeedName, onEnd: () => void): Promise<SharedFeed | null> {
    const stopping = new AbortController();
    const response = await this.#ask(live, path, stopping.signal);
    if (response.statusCode === 404) {
      response.resume();
      return null;
    }
    if (response.statusCode !== 200) throw new Error(`the live process answers ${response.statusCode}`);
    const bus = new PacketBus({
      onSubscriberError: (error) => this.#ctx.log.error({ err: error }, 'viewer over WebRTC failed'),
    });
    const end = () => {
      onEnd();
      bus.end('finished');
    };
    void readInto(response, bus)
      .catch((error: unknown) => this.#ctx.log.debug({ err: error, path }, 'live feed lost'))
      .finally(end);
    const stop = () => {
      // A viewer who comes now opens another one.
      onEnd();
      stopping.abort();
    };
    return { bus, stop, readers: 0 };
  }

  async #ask(live: string, path: string, stopping: AbortSignal): Promise<IncomingMessage> {
    const { settings, secrets, clock } = this.#ctx;
    const signature = createNodeSignatures(secrets, clock).sign({ method: 'GET', path });
    const request = requestNode(settings.internalTls, live + path, {
      headers: { [nodeSignatureHeader]: signature },
      signal: stopping,
    });
    request.on('error', () => undefined);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(connectMs)]);
    const answered = once(request, 'response', { signal }) as Promise<[IncomingMessage]>;
    request.end();
    const [response] = await answered.catch((error: unknown) => {
      request.destroy();
      throw error;
    });
    return response;
  }
}

async function readInto(response: IncomingMessage, bus: PacketBus): Promise<void> {
  const reader = new FlvReader((packet) => bus.push(packet));
  for await (const chunk of response) reader.push(chunk as Buffer);
}
