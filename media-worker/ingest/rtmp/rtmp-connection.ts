import type { Socket } from 'node:net';
import { newId } from '@/lib/infra/ids';
import { metrics } from '@/lib/infra/metrics/metrics';
import { Acknowledgements } from './acknowledgements';
import { parseAnnouncedTracks } from './announced-tracks';
import {
  type AdmissionContext,
  parseAppName,
  askAdmission,
  streamKeyOf,
} from '@/media-worker/ingest/publisher/ask-admission';
import { type MediaMessageType, parseFlvTag } from '@/media-worker/media/packets/flv-tag';
import { GuardedProtocol } from './guarded-protocol';
import { ProtocolViolation, reasonOf } from '@/media-worker/ingest/publisher/publisher-limits';
import type { IngestLimits } from './ingest-limits';
import type { PublishEnd, PublishRequest, PublishSink } from '@/media-worker/media/packets/publish';
import { publishSourceOf } from '@/media-worker/media/packets/publish';
import { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import { Timers } from '@/media-worker/ingest/publisher/timers';
import { createTimestampUnwrapper } from '@/media-worker/media/packets/timestamp-unwrapper';

/** Bytes of C0, C1 and C2 of the handshake, in addition to the bytes that a client may send before it publishes. */
const HANDSHAKE_BYTES = 1 + 2 * 1536;

export interface ConnectionContext extends AdmissionContext {
  readonly limits: IngestLimits;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
}

interface ConnectionOptions extends ConnectionContext {
  /** Called when the publish was admitted. */
  readonly onAdmitted: () => void;
}

/** Descriptions of rejections, which encoders show. */
const rejections = {
  unauthorized: 'Publish is not allowed.',
  draining: 'This server is going out of service. Publish again to reach another one.',
} as const;

/** Phases of a connection. `closing` ignores further input; the socket is destroyed within `flushTimeoutMs`. */
type Phase = 'commands' | 'admitting' | 'live' | 'closing';

/** One RTMP connection. Owns its socket, timers and publish, which all end when the socket closes. */
export class RtmpConnection {
  readonly #socket: Socket;
  readonly #ip: string;
  readonly #context: ConnectionOptions;
  readonly #protocol: GuardedProtocol;
  readonly #acknowledgements = new Acknowledgements();
  readonly #unwrap = createTimestampUnwrapper();
  readonly #timers = new Timers();
  #phase: Phase = 'commands';
  #bytesLeftBeforePublish: number;
  #app = '';
  #publish: PublishLifecycle | null = null;
  #endCause = 'closed by the client';

  constructor(socket: Socket, ip: string, context: ConnectionOptions) {
    this.#socket = socket;
    this.#ip = ip;
    this.#context = context;
    this.#bytesLeftBeforePublish = HANDSHAKE_BYTES + context.limits.bytesBeforePublish;
    this.#protocol = new GuardedProtocol(context.limits, {
      connect: (app) => this.#onConnect(app),
      connectRejected: () => this.#closeAfterFlush(),
      publish: (name, streamId) => this.#onPublish(name, streamId),
      unpublish: () => this.#onUnpublish(),
      handleMedia: (type, timestamp, body) => this.#onMedia(type, timestamp, body),
      metadata: (message) => this.#publish?.announce(parseAnnouncedTracks(message)),
      acknowledgementWindow: (bytes) => this.#acknowledgements.setWindow(bytes),
      output: (data) => this.#send(data),
    });
    socket.on('data', (data: Buffer) => this.#onData(data));
    socket.on('error', (error: NodeJS.ErrnoException) => (this.#endCause = error.code ?? error.name));
    socket.once('close', () => this.#onClose());
    this.#startTimers();
  }

  /** Ends the connection and its publish immediately. */
  close(reason: PublishEnd): void {
    this.#drop('closed by the server', reason);
  }

  #startTimers(): void {
    const { handshakeTimeoutMs, publishTimeoutMs, silenceTimeoutMs } = this.#context.limits;
    this.#timers.schedule(handshakeTimeoutMs, () => {
      if (!this.#protocol.isHandshakeComplete) this.#drop('no handshake in time');
    });
    this.#timers.schedule(publishTimeoutMs, () => {
      if (this.#phase === 'commands') this.#drop('no publish in time');
    });
    this.#socket.setTimeout(silenceTimeoutMs, () => this.#drop('silent'));
  }

  #onData(data: Buffer): void {
    metrics.receivedBytes.inc(data.length);
    try {
      this.#receive(data);
      const receivedBytes = this.#acknowledgements.addReceived(data.length);
      if (receivedBytes !== null && this.#phase !== 'closing') this.#protocol.sendACK(receivedBytes);
    } catch (error) {
      this.#drop(reasonOf(error));
    }
  }

  #receive(data: Buffer): void {
    if (this.#phase === 'closing') return;
    if (this.#phase !== 'commands') {
      this.#protocol.parserData(data);
      return;
    }
    // Media after the publish command may arrive in the same read: only the bytes before the command count.
    const dataBeforePublish = data.subarray(0, this.#bytesLeftBeforePublish);
    this.#bytesLeftBeforePublish -= dataBeforePublish.length;
    this.#protocol.parserData(dataBeforePublish);
    if (dataBeforePublish.length === data.length) return;
    if (this.#isBeforePublish()) throw new ProtocolViolation('too many bytes before publish');
    this.#receive(data.subarray(dataBeforePublish.length));
  }

  #isBeforePublish(): boolean {
    return this.#phase === 'commands';
  }

  #onConnect(app: string): boolean {
    this.#app = app;
    return parseAppName(app) === 'live';
  }

  #onPublish(name: string, streamId: number): void {
    if (this.#phase === 'closing') return;
    if (this.#publish) throw new ProtocolViolation('publish twice');
    const { limits, now } = this.#context;
    const request = { app: parseAppName(this.#app), streamKey: streamKeyOf(name, this.#app), ip: this.#ip };
    this.#publish = new PublishLifecycle({
      id: newId(),
      ip: this.#ip,
      source: publishSourceOf(name),
      limits,
      now,
      close: (rejection) => {
        if (rejection === undefined) this.#socket.destroy();
        else this.#reject(streamId, 'NetStream.Publish.Rejected', rejection);
      },
      onEnd: (reason, wasAdmitted) => this.#onPublishEnd(reason, wasAdmitted),
    });
    this.#phase = 'admitting';
    this.#socket.pause();
    void this.#admit(request, this.#publish, streamId);
  }

  async #admit(request: PublishRequest, publish: PublishLifecycle, streamId: number): Promise<void> {
    const { limits, now } = this.#context;
    const askedAtMs = now();
    this.#timers.schedule(limits.admissionTimeoutMs, () => {
      if (this.#phase === 'admitting') this.#drop('no admission in time');
    });
    try {
      const sink = await askAdmission(request, publish, this.#context);
      const rejectionDelayMs = Math.max(0, limits.minRejectionMs - (now() - askedAtMs));
      if (sink !== null && sink !== 'draining') this.#startPublish(publish, sink, streamId);
      else if (!this.#socket.destroyed) {
        this.#phase = 'closing';
        const description = rejections[sink ?? 'unauthorized'];
        this.#timers.schedule(rejectionDelayMs, () =>
          this.#reject(streamId, 'NetStream.Publish.BadName', description),
        );
      }
    } catch (error) {
      metrics.publishesRejected.inc({ reason: 'unavailable' });
      this.#drop(`admission failed: ${reasonOf(error)}`);
    }
  }

  /** Confirms the publish after admission; the library itself would confirm it earlier. */
  #startPublish(publish: PublishLifecycle, sink: PublishSink, streamId: number): void {
    if (!publish.hasEnded) {
      this.#phase = 'live';
      this.#context.onAdmitted();
      this.#protocol.sendStatusMessage(streamId, 'status', 'NetStream.Publish.Start', 'Publishing.');
    }
    publish.attachSink(sink);
    this.#socket.resume();
  }

  /** Rejects a command. Encoders show the description in their window or log. */
  #reject(streamId: number, code: string, description: string): void {
    this.#protocol.sendStatusMessage(streamId, 'error', code, description);
    this.#closeAfterFlush();
  }

  #onUnpublish(): void {
    // Some encoders send cleanup commands before they publish.
    if (this.#publish) this.#endPublish('finished');
  }

  #onMedia(type: MediaMessageType, timestamp: number, body: Buffer): void {
    if (this.#phase === 'closing') return;
    if (!this.#publish) throw new ProtocolViolation('media before publish');
    const packet = parseFlvTag(type, this.#unwrap(timestamp), body);
    if (packet) this.#publish.pushMedia(packet);
  }

  #onPublishEnd(reason: PublishEnd, wasAdmitted: boolean): void {
    const why = reason === 'lost' ? this.#endCause : undefined;
    const ids = { connection: this.#publish?.id, ...this.#publish?.ids };
    if (wasAdmitted) this.#context.log.info({ ...ids, reason, why }, 'publish ended');
    if (reason === 'finished') this.#closeAfterFlush();
  }

  #send(data: Buffer): void {
    if (!this.#socket.writable) return;
    if (this.#socket.writableLength > this.#context.limits.outputBytes) this.#drop('replies are not read');
    else this.#socket.write(data);
  }

  /** Closes after the last reply. Input is read and ignored, because with unread input, TCP would send RST instead of FIN. */
  #closeAfterFlush(): void {
    this.#phase = 'closing';
    this.#socket.resume();
    this.#socket.end();
    this.#timers.schedule(this.#context.limits.flushTimeoutMs, () => this.#socket.destroy());
  }

  #drop(why: string, reason: PublishEnd = 'lost'): void {
    if (this.#socket.destroyed) return;
    this.#endCause = why;
    this.#phase = 'closing';
    this.#socket.destroy();
    this.#endPublish(reason);
  }

  #onClose(): void {
    this.#phase = 'closing';
    this.#timers.stop();
    this.#endPublish('lost');
    if (!this.#publish) this.#context.log.debug({ ip: this.#ip, why: this.#endCause }, 'connection closed');
  }

  /** An error in a consumer at the end must not end the process. */
  #endPublish(reason: PublishEnd): void {
    try {
      this.#publish?.end(reason);
    } catch (error) {
      this.#context.log.warn({ ip: this.#ip, why: reasonOf(error) }, 'publish cleanup failed');
    }
  }
}
