import type { RequestListener, ServerResponse } from 'node:http';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { SystemContext } from '@/lib/domain/context';
import { findLiveAddresses, requestPublish, type RemotePublishAnswer } from '@/lib/domain/nodes';
import { newId } from '@/lib/infra/ids';
import { readAddresses } from '@/lib/infra/node-address';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { sendFlv } from '@/media-worker/media/packets/send-flv';
import type {
  Admission,
  PublishEnd,
  PublisherConnection,
  PublishNames,
  PublishSink,
} from '@/media-worker/media/packets/publish';

/** Path at which a live process fetches the packets of a publisher: `/publishes/<id>`. */
const publishPath = /^\/publishes\/([0-9a-f-]{36})$/;
/** A live process that has admitted a publisher must start to read within this time. */
const readMs = 5_000;

/** A publisher of this process whose packets a live process fetches. The end of the response shows how the publish ended. */
class RemotePublish implements PublishSink {
  readonly id = newId();
  readonly #connection: PublisherConnection;
  readonly #bus = new PacketBus({ onSubscriberError: () => undefined });
  readonly #closed: () => void;
  readonly #reading: NodeJS.Timeout;
  #about: PublishNames | undefined;
  #isRead = false;
  #ended: PublishEnd | null = null;

  constructor(connection: PublisherConnection, closed: () => void) {
    this.#connection = connection;
    this.#closed = closed;
    this.#reading = setTimeout(() => connection.disconnect('lost'), readMs + admissionMs);
  }

  get about(): PublishNames | undefined {
    return this.#about;
  }

  admitted(about: PublishNames | undefined): void {
    this.#about = about;
  }

  push(packet: MediaPacket): void {
    this.#bus.push(packet);
  }

  end(reason: PublishEnd): void {
    if (this.#ended !== null) return;
    clearTimeout(this.#reading);
    this.#ended = reason;
    this.#bus.end(reason);
    this.#closed();
  }

  async serve(response: ServerResponse): Promise<void> {
    clearTimeout(this.#reading);
    if (this.#isRead) {
      response.destroy();
      return;
    }
    this.#isRead = true;
    await sendFlv(response, this.#bus.reader());
    if (this.#ended === 'finished') response.end();
    else response.destroy();
    // The live process ended the publish: another encoder took over, or the stream was suspended.
    if (this.#ended === null) this.#connection.disconnect('cut');
  }
}

/** Timeout of `requestPublish`. */
const admissionMs = 12_000;

/** Publishers of this process, and their admission by live processes. */
export class RemotePublishes {
  readonly #ctx: SystemContext;
  /** Address at which live processes reach this process. */
  readonly #url: () => string;
  readonly #publishes = new Map<string, RemotePublish>();
  #turn = 0;

  constructor(ctx: SystemContext, url: () => string) {
    this.#ctx = ctx;
    this.#url = url;
  }

  /** Asks live processes in turn, until one that is not draining answers. */
  async admit(
    request: { readonly streamKey: string; readonly ip: string; readonly tracks: AnnouncedTracks },
    connection: PublisherConnection,
  ): Promise<Admission> {
    const publish: RemotePublish = new RemotePublish(
      connection,
      () => void this.#publishes.delete(publish.id),
    );
    this.#publishes.set(publish.id, publish);
    const url = `${this.#url()}/publishes/${publish.id}`;
    const { streamKey, ip, tracks } = request;
    const answer = await this.#ask({
      streamKey,
      ip,
      tracks: { picture: tracks.video, sound: tracks.audio },
      url,
    }).catch((error: unknown) => {
      publish.end('lost');
      throw error;
    });
    if (answer.admission === 'admitted') {
      publish.admitted(answer.about);
      return publish;
    }
    publish.end('cut');
    return answer.admission === 'unknown' ? null : answer.admission;
  }

  /** Answers requests of live processes; `next` answers all other requests. */
  before(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = publishPath.exec(request.url ?? '') ?? [];
      const publish = this.#publishes.get(id);
      if (publish) void publish.serve(response);
      else next(request, response);
    };
  }

  async #ask(request: Parameters<typeof requestPublish>[2]): Promise<RemotePublishAnswer> {
    const addresses = await this.#liveAddresses();
    let answer: RemotePublishAnswer | null = null;
    let failure: Error | null = null;
    for (const address of addresses) {
      try {
        answer = await requestPublish(this.#ctx, address, request);
        if (answer.admission !== 'draining') return answer;
      } catch (error) {
        failure = error instanceof Error ? error : new Error('unknown error', { cause: error });
        this.#ctx.log.warn({ err: error, live: address }, 'live process does not answer');
      }
    }
    if (answer === null && failure !== null) throw failure;
    return answer ?? { admission: 'draining' };
  }

  /**
   * Addresses of the live processes of this machine, rotated so that each call starts with another one. If there are none,
   * those of other machines.
   */
  async #liveAddresses(): Promise<string[]> {
    const { settings } = this.#ctx;
    const local = settings.roles.includes('live') ? await readAddresses(settings, 'live') : [];
    const knownAddresses = local.filter((address) => address !== null);
    const all =
      knownAddresses.length > 0 ? knownAddresses : (await findLiveAddresses(this.#ctx)).map(({ url }) => url);
    const first = all.length === 0 ? 0 : this.#turn++ % all.length;
    return [...all.slice(first), ...all.slice(0, first)].slice(0, 4);
  }
}
