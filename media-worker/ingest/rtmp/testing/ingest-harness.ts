import type { Certificate } from '@/lib/infra/tls/certificate';
import type { IngestLimits } from '@/media-worker/ingest/rtmp/ingest-limits';
import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import type { AdmitPublish, PublisherConnection, PublishRequest } from '@/media-worker/media/packets/publish';
import { type RtmpServer, startRtmpServer } from '@/media-worker/ingest/rtmp/rtmp-server';
import { AAC_CONFIG, AVC_CONFIG, keyFrame, RtmpClient } from './rtmp-client';

export interface AdmittedPublish {
  readonly request: PublishRequest;
  readonly connection: PublisherConnection;
  readonly sink: RecordingSink;
}

export interface Ingest extends AsyncDisposable {
  readonly server: RtmpServer;
  readonly port: number;
  readonly publishes: AdmittedPublish[];
  /** Every log line. */
  readonly logLines: string[];
}

interface IngestTestOptions {
  readonly limits?: Partial<IngestLimits>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** The admission; by default, every key that starts with `good` gets a RecordingSink. */
  readonly admit?: AdmitPublish;
  /** Trusted load balancers; empty by default. */
  readonly trustedProxies?: readonly string[];
  /** Enables RTMPS on a free port; absent by default. */
  readonly certificate?: Certificate;
}

/** Short delays, but long timeouts, so that no connection is closed because the machine is busy. */
const testLimits: Partial<IngestLimits> = {
  minRejectionMs: 20,
  flushTimeoutMs: 50,
  handshakeTimeoutMs: 240_000,
  publishTimeoutMs: 240_000,
  silenceTimeoutMs: 240_000,
};

export async function startIngest(options: IngestTestOptions = {}): Promise<Ingest> {
  const publishes: AdmittedPublish[] = [];
  const logLines: string[] = [];
  const write = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    logLines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const admitGoodKeys: AdmitPublish = (request, connection) => {
    if (!request.streamKey.startsWith('good')) return Promise.resolve(null);
    const sink = new RecordingSink();
    publishes.push({ request, connection, sink });
    return Promise.resolve(sink);
  };
  const server = await startRtmpServer({
    port: 0,
    host: '127.0.0.1',
    trustedProxies: options.trustedProxies ?? [],
    tls: options.certificate && { port: 0, certificate: options.certificate },
    admit: options.admit ?? admitGoodKeys,
    log: { debug: write, info: write, warn: write },
    limits: { ...testLimits, ...options.limits },
    ...(options.now && { clock: { monotonic: options.now } }),
  });
  return { server, port: server.port, publishes, logLines, [Symbol.asyncDispose]: () => server.close() };
}

/** Starts an admitted publish and waits until it has delivered its decoder configurations and one keyframe. */
export async function startLive(
  ingest: Ingest,
  key = 'good-live-key',
): Promise<AdmittedPublish & { client: RtmpClient }> {
  const client = await RtmpClient.connectAndPublish(ingest.port, key);
  await client.waitForText('NetStream.Publish.Start');
  const admittedPublish = ingest.publishes.at(-1);
  if (!admittedPublish) throw new Error('no publish was admitted');
  client.video(0, AVC_CONFIG);
  client.audio(0, AAC_CONFIG);
  client.video(0, keyFrame());
  await admittedPublish.sink.waitForPackets(3);
  return { ...admittedPublish, client };
}
