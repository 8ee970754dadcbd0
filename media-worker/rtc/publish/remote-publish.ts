import type { RequestListener, ServerResponse } from 'node:http';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { SystemContext } from '@/lib/domain/context';
import { findLiveNodeUrls, requestPublish, type RemotePublishResponse } from '@/lib/domain/nodes';
import { newId } from '@/lib/infra/ids';
import { readProcessUrls } from '@/lib/infra/process-urls';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { MAX_LAYERS } from '@/media-worker/media/packets/layer-tag';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { sendFlv } from '@/media-worker/media/packets/send-flv';
import type {
  Admission,
  PublishEnd,
  PublisherConnection,
  PublishIds,
  PublishSink,
} from '@/media-worker/media/packets/publish';

/** Path at which a live process fetches the packets of a publisher: `/publishes/<id>`. */
const publishPath = /^\/publishes\/([0-9a-f-]{36})$/;
/** Timeout from the admission of a publisher until the live process reads its packets. */
const READ_TIMEOUT_MS = 5_000;

/** Maximum packets of a layer that wait for the live process. */
const LAYER_BACKLOG = { packets: 1_024, bytes: 4 * 1024 * 1024 };

/**
 * A publisher of this process whose packets a live process fetches. A complete response means that the publish
 * finished; a broken response means that the connection was lost.
 */
class RemotePublish implements PublishSink {
  readonly id = newId();
  readonly #connection: PublisherConnection;
  readonly #bus = new PacketBus({ onSubscriberError: () => undefined });
  readonly #layerBuses = Array.from(
    { length: MAX_LAYERS },
    // No GOP is cached, because the live process reads each layer from its first packet.
    () => new PacketBus({ maxGopBytes: 0, onSubscriberError: () => undefined }),
  );
  readonly #onClose: () => void;
  readonly #readTimer: NodeJS.Timeout;
  #ids: PublishIds | undefined;
  #hasReader = false;
  #endReason: PublishEnd | null = null;

  constructor(connection: PublisherConnection, onClose: () => void) {
    this.#connection = connection;
    this.#onClose = onClose;
    this.#readTimer = setTimeout(() => connection.disconnect('lost'), READ_TIMEOUT_MS + ADMISSION_TIMEOUT_MS);
  }

  get ids(): PublishIds | undefined {
    return this.#ids;
  }

  setIds(ids: PublishIds | undefined): void {
    this.#ids = ids;
  }

  push(packet: MediaPacket): void {
    this.#bus.push(packet);
  }

  pushLayer(layer: number, packet: VideoPacket): void {
    this.#layerBuses[layer - 1]?.push(packet);
  }

  end(reason: PublishEnd): void {
    if (this.#endReason !== null) return;
    clearTimeout(this.#readTimer);
    this.#endReason = reason;
    this.#bus.end(reason);
    for (const layer of this.#layerBuses) layer.end(reason);
    this.#onClose();
  }

  /** Sends the packets to the live process as FLV until the publish or the response ends. A second request is rejected. */
  async serve(response: ServerResponse): Promise<void> {
    clearTimeout(this.#readTimer);
    if (this.#hasReader) {
      response.destroy();
      return;
    }
    this.#hasReader = true;
    const layers = this.#layerBuses.map((layer) => layer.openReader(LAYER_BACKLOG));
    await sendFlv(response, this.#bus.openReader(), layers);
    if (this.#endReason === 'finished') response.end();
    else response.destroy();
    // The live process ended the publish: another encoder took over, or the stream was suspended.
    if (this.#endReason === null) this.#connection.disconnect('cut');
  }
}

/** Maximum time until a live process has decided about the admission. */
const ADMISSION_TIMEOUT_MS = 12_000;

/** Publishers of this process, and their admission by live processes. */
export class RemotePublishes {
  readonly #ctx: SystemContext;
  /** Returns the internal URL of this process, at which live processes fetch packets. */
  readonly #ownUrl: () => string;
  readonly #publishes = new Map<string, RemotePublish>();
  #nextIndex = 0;

  constructor(ctx: SystemContext, url: () => string) {
    this.#ctx = ctx;
    this.#ownUrl = url;
  }

  /**
   * Asks up to four live processes, one after another, until one responds that is not draining.
   * @throws the last error if no live process responds
   */
  async admit(
    request: { readonly streamKey: string; readonly ip: string; readonly tracks: AnnouncedTracks },
    connection: PublisherConnection,
  ): Promise<Admission> {
    const publish: RemotePublish = new RemotePublish(
      connection,
      () => void this.#publishes.delete(publish.id),
    );
    this.#publishes.set(publish.id, publish);
    const url = `${this.#ownUrl()}/publishes/${publish.id}`;
    const { streamKey, ip, tracks } = request;
    const response = await this.#requestPublish({
      streamKey,
      ip,
      tracks: { picture: tracks.video, sound: tracks.audio },
      url,
    }).catch((error: unknown) => {
      publish.end('lost');
      throw error;
    });
    if (response.admission === 'admitted') {
      publish.setIds(response.about);
      return publish;
    }
    publish.end('cut');
    if (response.admission === 'unknown') return null;
    return response.admission === 'refused' ? 'rejected' : response.admission;
  }

  /** Creates a listener that serves the packets of publishes to live processes; `next` handles all other requests. */
  createListener(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = publishPath.exec(request.url ?? '') ?? [];
      const publish = this.#publishes.get(id);
      if (publish) void publish.serve(response);
      else next(request, response);
    };
  }

  async #requestPublish(request: Parameters<typeof requestPublish>[2]): Promise<RemotePublishResponse> {
    const liveUrls = await this.#readLiveUrls();
    let answer: RemotePublishResponse | null = null;
    let failure: Error | null = null;
    for (const liveUrl of liveUrls) {
      try {
        answer = await requestPublish(this.#ctx, liveUrl, request);
        if (answer.admission !== 'draining') return answer;
      } catch (error) {
        failure = error instanceof Error ? error : new Error('unknown error', { cause: error });
        this.#ctx.log.warn({ err: error, live: liveUrl }, 'live process does not answer');
      }
    }
    if (answer === null && failure !== null) throw failure;
    return answer ?? { admission: 'draining' };
  }

  /**
   * At most four URLs of live processes of this machine, or of other machines if this one has none. Each call starts
   * with another process.
   */
  async #readLiveUrls(): Promise<string[]> {
    const { settings } = this.#ctx;
    const localUrls = settings.roles.includes('live') ? await readProcessUrls(settings, 'live') : [];
    const knownUrls = localUrls.filter((address) => address !== null);
    const urls = knownUrls.length > 0 ? knownUrls : (await findLiveNodeUrls(this.#ctx)).map(({ url }) => url);
    const firstIndex = urls.length === 0 ? 0 : this.#nextIndex++ % urls.length;
    return [...urls.slice(firstIndex), ...urls.slice(0, firstIndex)].slice(0, 4);
  }
}
