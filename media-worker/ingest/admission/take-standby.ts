import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { SystemContext } from '@/lib/domain/context';
import type { PublishSource } from '@/lib/core/streams/publish-admission';
import { newId } from '@/lib/infra/ids';
import { requestNode } from '@/lib/infra/node-http';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { readStandbyOffer, standbysPath, type StandbyOffer } from '@/lib/domain/nodes';
import { errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import type { LiveSessions } from '@/media-worker/live/session/live-sessions';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';

const connectMs = 2_000;

/** A standby encoder that is connected to another node, which serves its packets. */
class RemoteEncoder implements PublisherConnection {
  readonly id = newId();
  readonly ip: string;
  readonly source: PublishSource = 'encoder';
  readonly #ctx: SystemContext;
  readonly #stopping = new AbortController();
  #lastMediaAt: number;
  #sink: PublishSink | null = null;
  #ended: PublishEnd | null = null;

  constructor(ctx: SystemContext, { ip }: StandbyOffer) {
    this.#ctx = ctx;
    this.ip = ip;
    this.#lastMediaAt = ctx.clock.monotonic();
  }

  silentFor(): number {
    return this.#ctx.clock.monotonic() - this.#lastMediaAt;
  }

  disconnect(reason: PublishEnd): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#stopping.abort();
    this.#sink?.end(reason);
  }

  /** Passes the packets of the encoder to `sink` until either side ends. */
  follow(url: string, sink: PublishSink): void {
    this.#sink = sink;
    if (this.#ended !== null) sink.end(this.#ended);
    else
      void this.#read(url, sink).then(
        () => this.disconnect('finished'),
        (error: unknown) => {
          if (this.#ended === null) this.#ctx.log.info({ err: error }, 'relay of a standby encoder lost');
          this.disconnect('lost');
        },
      );
  }

  async #read(url: string, sink: PublishSink): Promise<void> {
    const reader = new FlvReader((packet) => {
      if (this.#ended !== null) return;
      this.#lastMediaAt = this.#ctx.clock.monotonic();
      sink.push(packet);
    });
    for await (const chunk of await this.#open(url)) reader.push(chunk as Buffer);
  }

  async #open(url: string): Promise<IncomingMessage> {
    const { settings, secrets, clock } = this.#ctx;
    const signature = createNodeSignatures(secrets, clock).sign({
      method: 'GET',
      path: new URL(url).pathname,
    });
    const { signal } = this.#stopping;
    const request = requestNode(settings.internalTls, url, {
      headers: { [nodeSignatureHeader]: signature },
      signal,
    });
    const within = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
    request.on('error', () => undefined);
    const whenAnswered = once(request, 'response', { signal: within }) as Promise<[IncomingMessage]>;
    request.end();
    const [response] = await whenAnswered.catch((error: unknown) => {
      request.destroy();
      throw error;
    });
    if (response.statusCode !== 200) throw new Error(`the other node answers ${response.statusCode}`);
    return response;
  }
}

/** Answers `offerStandby` at the node that holds the stream. */
export function answerStandbys(
  ctx: SystemContext,
  sessions: Pick<LiveSessions, 'admit' | 'byStream'>,
): InternalWrites {
  const take = async (offer: StandbyOffer): Promise<boolean> => {
    const { streamId, run, isBackup, url } = offer;
    const going = sessions.byStream(streamId);
    if (!going || going.over || going.ending || going.publish.run !== run) return false;
    const encoder = new RemoteEncoder(ctx, offer);
    const sink = await sessions.admit(encoder, { streamId, isBackup });
    if (sink === null || 'rejected' in sink) return false;
    encoder.follow(url, sink);
    return true;
  };
  const answer = async (body: string) => {
    const offer = readStandbyOffer(body);
    if (!offer) return errorAnswer(400, 'Not a standby offer of this version.');
    return (await take(offer)) ? jsonAnswer(200, { ok: true }) : errorAnswer(409, 'No standby is taken.');
  };
  return { [standbysPath]: answer };
}
